// One request at a time, the newest: an older answer is never shown over a newer one.

/** `run(task)` stops what ran before, and calls `task(signal)`. Gives its result, or `undefined` where it was overtaken. */
export function latest() {
  let current = null;
  return {
    async run(task) {
      current?.abort();
      const mine = new AbortController();
      current = mine;
      try {
        const result = await task(mine.signal);
        // It may have ended just as the next one began.
        return mine.signal.aborted ? undefined : result;
      } catch (error) {
        if (mine.signal.aborted) return undefined;
        throw error;
      } finally {
        if (current === mine) current = null;
      }
    },
    stop() {
      current?.abort();
      current = null;
    },
  };
}

/** Calls `task` once nothing was asked for `wait` milliseconds. */
export function debounced(task, wait) {
  let timer = null;
  const run = () => {
    clearTimeout(timer);
    timer = null;
    task();
  };
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(run, wait);
    },
    now: run,
    /** Whether it is still to come. */
    get isPending() {
      return timer !== null;
    },
  };
}
