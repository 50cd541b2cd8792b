// The keyboard. The focus itself moves, so a screen reader says what is reached.

import { showHelp, singleKeys } from "./help.js";

const isTyping = (node) =>
  node.matches("input:not([type=checkbox]), textarea, select") ||
  node.isContentEditable;

/** Listens for keys. `reader` is the pane, `focusBox` goes to the box of the view. */
export function listen({ reader, focusBox, help }) {
  const titles = () => [...document.querySelectorAll("#results a.open")];
  const here = () => document.activeElement?.closest("#results > li");

  /** To the result `by` places on; above the first one lies the box. */
  function move(by) {
    const all = titles();
    const at = all.findIndex((title) => here()?.contains(title));
    const to = at + by;
    if (to < 0) return focusBox();
    const title = all[Math.min(to, all.length - 1)];
    title?.focus();
    title?.closest("li").scrollIntoView({ block: "nearest" });
  }

  function arrows(event) {
    const fromBox = event.target.id === "q";
    if (!fromBox && !here()) return false;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp" && !fromBox) move(-1);
    else return false;
    return true;
  }

  function escape(event) {
    if (reader.isOpen()) reader.close();
    else if (event.target.id === "q" || isTyping(event.target)) return false;
    else focusBox();
    return true;
  }

  const letters = {
    "/": focusBox,
    "?": () => showHelp(help),
    w: () => here()?.querySelector("[data-why]").click(),
    g: () => here()?.querySelector("[data-graph]").click(),
  };

  addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.isComposing ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector("dialog[open]")
    )
      return;
    const act = letters[event.key];
    const taken =
      event.key === "Escape"
        ? escape(event)
        : event.key.startsWith("Arrow")
          ? arrows(event)
          : act && singleKeys() && !isTyping(event.target) && (act(), true);
    if (taken) event.preventDefault();
  });
}
