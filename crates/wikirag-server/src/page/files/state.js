// Where the reader is. All of it stands in the address behind the `#`: it can be shared, the back button works, and the server,
// its logs and other servers never see it, since browsers send no fragments.

export const VIEWS = ["search", "ask", "wikis", "gaps"];
const LISTS = { wikis: "wiki", tags: "tag" };
const WORDS = ["rag", "q", "doc", "graph", "depth", "open"];

/** What an address says. Anything is an address: what is not understood is left out. */
export function read(hash) {
  const [, view, query] = /^#\/?([a-z]*)(?:\?(.*))?$/su.exec(hash) ?? [];
  const has = new URLSearchParams(query ?? "");
  const state = { view: VIEWS.includes(view) ? view : "search" };
  for (const word of WORDS) state[word] = has.get(word) ?? "";
  for (const [list, key] of Object.entries(LISTS))
    state[list] = [...new Set(has.getAll(key).filter(Boolean))];
  return state;
}

/** The opposite. */
export function write(state) {
  const query = new URLSearchParams();
  for (const word of WORDS) if (state[word]) query.set(word, state[word]);
  for (const [list, key] of Object.entries(LISTS))
    for (const one of state[list]) query.append(key, one);
  const text = query.toString();
  return `#/${state.view}${text && `?${text}`}`;
}

/** The state now. */
export const now = () => read(location.hash);

/** The address of the state after a change, for links. */
export const link = (change) => write({ ...now(), ...change });

// A document, the graph of a page and a page to be found by name take the same place.
const NO_READER = { doc: "", graph: "", open: "" };
export const toDocument = (doc) => link({ ...NO_READER, doc });
export const toGraph = (graph) => link({ ...NO_READER, graph });
export const toPage = (open) => link({ ...NO_READER, open });
export const closed = () => ({ ...NO_READER });

const listeners = new Set();
const tell = () => listeners.forEach((listener) => listener(now()));

/** Calls `listener` with the state whenever it changed. */
export function watch(listener) {
  listeners.add(listener);
}

/** Changes the state; `replace` makes no new step for the back button. */
export function go(change, { replace = false } = {}) {
  const address = link(change);
  if (address !== location.hash)
    history[replace ? "replaceState" : "pushState"](null, "", address);
  // Also where nothing changed: what failed may be tried again.
  tell();
}

/** Tells of links that were followed and of the back button. */
export function start() {
  addEventListener("popstate", tell);
}
