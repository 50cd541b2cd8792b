// Search as you type.

import * as api from "./api.js";
import { count, el } from "./dom.js";
import { filters, question } from "./filters.js";
import { debounced, latest } from "./latest.js";
import { degraded, wrong } from "./notice.js";
import { result } from "./result.js";
import { go, now } from "./state.js";

const LIMIT = 20;
/** Milliseconds without a key before the question is asked: shorter than between two keys of a fast typist, and below what is felt. */
const WAIT = 30;

/** The view: `show(state, cards)` brings it to a state, `focus()` goes to the box. */
export function searchView() {
  const requests = latest();
  let shown = null;
  // Whether the next key begins a new step for the back button. Letters of one question are one step.
  let fresh = true;

  const box = el("input", {
    id: "q",
    type: "search",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    placeholder:
      'Ask or type words: eggs fridge, "exact words", -without, tag:herbs',
    "aria-describedby": "found",
    oninput: (event) => {
      if (!event.isComposing) typing.soon();
    },
    oncompositionend: () => typing.soon(),
    onfocus: () => {
      fresh = true;
    },
  });
  const typing = debounced(() => {
    go({ q: box.value }, { replace: !fresh || now().q === "" });
    fresh = false;
  }, WAIT);
  const form = el(
    "form",
    {
      role: "search",
      onsubmit: (event) => {
        event.preventDefault();
        typing.now();
        fresh = true;
      },
    },
    el("label", { for: "q", class: "unseen" }, "Search"),
    box,
  );
  const chips = el("div", {
    class: "chips",
    role: "group",
    "aria-label": "Filters",
  });
  const found = el("p", { class: "found", id: "found", role: "status" });
  const notes = el("div", { class: "notes" });
  const results = el("ol", { class: "results", id: "results" });
  const node = el("div", { class: "view" }, form, chips, found, notes, results);

  const say = (text, ...rest) => found.replaceChildren(text, ...rest);
  const clear = () => {
    notes.replaceChildren();
    results.replaceChildren();
  };

  function fill(answer) {
    const { results: hits, total, took_ms: took, served_by: layers } = answer;
    const those =
      hits.length < total
        ? `${hits.length} of ${count(total, "passage")}`
        : count(total, "passage");
    say(
      hits.length === 0
        ? "Nothing found."
        : `${those} · ${took < 10 ? took.toFixed(1) : Math.round(took)} ms · ${layers.join(", ")}`,
    );
    notes.replaceChildren(...[degraded(answer)].filter(Boolean));
    results.replaceChildren(...hits.map((hit) => el("li", null, result(hit))));
  }

  async function ask(state) {
    if (state.q.trim() === "" && state.tags.length === 0) {
      requests.stop();
      clear();
      say("Type to search. Press ? for the keys.");
      return;
    }
    results.setAttribute("aria-busy", "true");
    try {
      const answer = await requests.run((signal) =>
        api.search(
          {
            question: question(state),
            rag: state.rag,
            wikis: state.wikis,
            limit: LIMIT,
          },
          signal,
        ),
      );
      if (answer === undefined) return; // A newer one is on its way, and says when it is done.
      fill(answer);
    } catch (error) {
      clear();
      say("");
      notes.append(wrong(error));
      shown = null; // So that the same question asks again.
    }
    results.removeAttribute("aria-busy");
  }

  return {
    node,
    label: "Search",
    show(state, cards) {
      // The back button sets the box; what is being typed is newer than any state.
      if (!typing.isPending && box.value !== state.q) box.value = state.q;
      filters(chips, cards, state);
      // The reader beside may have changed alone.
      const asked = JSON.stringify([
        state.q,
        state.rag,
        state.wikis,
        state.tags,
      ]);
      if (asked === shown) return;
      shown = asked;
      ask(state);
    },
    focus: () => {
      box.focus();
      box.select();
    },
  };
}
