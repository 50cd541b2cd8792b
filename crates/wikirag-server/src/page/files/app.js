// Where it begins: what the server has, which view is shown, and the pane beside it.

import * as api from "./api.js";
import { askView } from "./ask.js";
import { el } from "./dom.js";
import { gapsView } from "./gaps.js";
import { showHelp } from "./help.js";
import { listen } from "./keys.js";
import { wrong } from "./notice.js";
import { readerPane } from "./reader.js";
import { searchView } from "./search.js";
import { go, link, now, start, VIEWS, watch } from "./state.js";
import { wikisView } from "./wikis.js";

const id = (name) => document.getElementById(name);
const main = id("main");
const select = id("rag");
const help = id("help");
const reader = readerPane(id("reader"));
const views = {
  search: searchView(),
  ask: askView(),
  wikis: wikisView(),
  gaps: gapsView(),
};
const hasKeyboard = !matchMedia("(pointer: coarse)").matches;
let cards = [];
let current = null;
// Until it is known which compositions there are, only one that the address names can be asked.
let isKnown = false;

/** The wikis of a composition: of the one that is asked, else of the first. */
const of = (rag) => cards.filter((card) => card.rag === rag);
const rags = () => [...new Set(cards.map((card) => card.rag))];

function render(state) {
  // Where there are several compositions one of them is always named.
  const rag = state.rag || (rags().length > 1 ? rags()[0] : "");
  select.value = rag || rags()[0] || "";
  const view = views[state.view];
  if (view !== current) {
    main.replaceChildren(view.node);
    main.setAttribute("aria-label", view.label);
    document.title = `${view.label} · wikirag`;
    // Whoever opens the page wants to type; on a phone the keyboard would cover half of it unasked.
    if (!reader.isOpen()) (hasKeyboard ? view : main).focus();
    current = view;
  }
  for (const name of VIEWS) {
    const tab = id(`to-${name}`);
    tab.href = link({ view: name });
    if (name === state.view) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  if (!isKnown && !rag) return;
  view.show(
    { ...state, rag },
    state.view === "wikis" ? cards : of(rag || rags()[0]),
  );
  reader.show({ ...state, rag });
}

async function learn() {
  try {
    cards = await api.wikis();
    select.replaceChildren(
      ...rags().map((rag) => el("option", { value: rag }, rag)),
    );
    select.disabled = rags().length < 2;
  } catch (error) {
    main.prepend(wrong(error));
  }
  isKnown = true;
  render(now());
}

select.addEventListener("change", () =>
  go({ rag: select.value, wikis: [], tags: [], doc: "", graph: "", open: "" }),
);
id("keys").addEventListener("click", () => showHelp(help));
// A link to a place of this page would be a state of it.
id("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
listen({
  reader,
  focusBox: () => (current.focus ? current.focus() : main.focus()),
  help,
});
watch(render);
start();
render(now());
learn();
