// The pane beside the list: a document or a graph. On a phone it takes the whole screen.

import { showDocument, showPage } from "./document.js";
import { el } from "./dom.js";
import { showGraph } from "./graph.js";
import { latest } from "./latest.js";
import { wrong } from "./notice.js";
import { closed, go } from "./state.js";

/** The pane: `show(state)`, `close()`, `isOpen()`. */
export function readerPane(pane) {
  const requests = latest();
  // The head stays where it is while what is below it scrolls.
  const head = el("header", { class: "reader-head" });
  const box = el("div", {
    class: "reader-box",
    tabindex: "0",
    role: "region",
    "aria-label": "Content",
  });
  const shut = el(
    "button",
    {
      type: "button",
      class: "shut",
      "aria-label": "Close the reader",
      onclick: () => close(),
    },
    "×",
  );
  const hint = el(
    "p",
    { class: "quiet hint" },
    "What you open is read here.",
    el("br"),
    el("kbd", null, "↓"),
    " to the first result, ",
    el("kbd", null, "Enter"),
    " opens it, ",
    el("kbd", null, "?"),
    " shows all keys.",
  );
  let shown = null;
  // What had the focus when it was opened, to give it back.
  let opener = null;

  const isOpen = () => document.body.classList.contains("reading");
  const close = () => go(closed());

  function put(open) {
    document.body.classList.toggle("reading", open);
    if (open) pane.replaceChildren(head, shut, box);
    else pane.replaceChildren(hint);
  }

  async function fill(state, fromMap) {
    const { rag } = state;
    box.setAttribute("aria-busy", "true");
    try {
      await requests.run(async (signal) => {
        if (state.open) await showPage(state.open, rag, signal);
        else if (state.doc)
          await showDocument({ head, box }, { id: state.doc, rag }, signal);
        else
          await showGraph(
            { head, box },
            { id: state.graph, rag, depth: state.depth === "2" ? 2 : 1 },
            signal,
          );
      });
    } catch (error) {
      head.replaceChildren(
        el("h2", { id: "reader-title", tabindex: "-1" }, "Not found"),
      );
      box.replaceChildren(wrong(error));
    }
    box.removeAttribute("aria-busy");
    const to =
      (fromMap && box.querySelector(".node.this")) ||
      head.querySelector("#reader-title");
    to?.focus({ preventScroll: true });
  }

  put(false);
  return {
    isOpen,
    close,
    show(state) {
      const wanted = JSON.stringify([
        state.rag,
        state.doc,
        state.graph,
        state.open,
        state.graph && state.depth,
      ]);
      if (wanted === shown) return;
      shown = wanted;
      if (!state.doc && !state.graph && !state.open) {
        requests.stop();
        const had = pane.contains(document.activeElement);
        put(false);
        if (had || opener) opener?.focus();
        opener = null;
        return;
      }
      const active = document.activeElement;
      if (!isOpen()) opener = active === document.body ? null : active;
      const fromMap =
        active?.closest?.(".map") !== null && box.contains(active);
      put(true);
      fill(state, fromMap);
    },
  };
}
