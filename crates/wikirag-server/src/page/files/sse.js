// Server-sent events out of a response. `EventSource` can neither post nor send a token.

/** Reads events: `{ event, data }`, in order, from the body of a response. Lines may end in LF, CR or both, and may be cut anywhere. */
export async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let event = "message";
  let data = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A CR at the end may be the first half of CR LF.
      const lines = rest.split(done ? /\r\n|\r|\n/u : /\r\n|\n|\r(?!$)/u);
      rest = lines.pop();
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { event, data: data.join("\n") };
          event = "message";
          data = [];
          continue;
        }
        const colon = line.indexOf(":");
        const field = colon < 0 ? line : line.slice(0, colon);
        const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /u, "");
        if (field === "event") event = text;
        if (field === "data") data.push(text);
      }
      if (done) return;
    }
  } finally {
    // Whoever stops listening does not want the rest.
    reader.cancel().catch(() => {});
  }
}
