// The keys, and what may be typed. Single keys can be switched off: they disturb people who speak to their computer.

import { el } from "./dom.js";

const KEY = "wikirag.keys";
let on = true;
try {
  on = localStorage.getItem(KEY) !== "off";
} catch {
  /* they stay on */
}

/** Whether single keys do anything. */
export const singleKeys = () => on;

const KEYS = [
  [["/"], "to the search box"],
  [["↓", "↑"], "through the results, from the box on; in a map over its pages"],
  [["Enter"], "open the result; make a page of a map its centre"],
  [["w"], "why a result stands where it does"],
  [["g"], "the graph of its page"],
  [["Esc"], "close what is open, then back to the box"],
  [["?"], "this help"],
];
const WORDS = [
  ["eggs fridge", "passages about these words and what is near to them"],
  ['"keep fresh"', "these words in this order"],
  ["-freezer", "none with this word"],
  ["tag:herbs", "only with this tag, or one below it"],
  ["path:recipes/", "only below this folder"],
  ["status:stable", "only where the front matter says so"],
];

/** Opens the dialog. */
export function showHelp(box) {
  if (box.open) return;
  const toggle = el("input", {
    type: "checkbox",
    id: "single-keys",
    checked: on,
    onchange: () => {
      on = toggle.checked;
      try {
        localStorage.setItem(KEY, on ? "on" : "off");
      } catch {
        /* lasts as long as the page */
      }
    },
  });
  const rows = (entries, first) =>
    el(
      "dl",
      null,
      entries.map(([what, does]) =>
        el("div", null, el("dt", null, first(what)), el("dd", null, does)),
      ),
    );
  box.replaceChildren(
    el("h2", { id: "help-title" }, "Keys"),
    rows(KEYS, (keys) => keys.map((key) => [el("kbd", null, key), " "])),
    el(
      "p",
      null,
      toggle,
      " ",
      el("label", { for: "single-keys" }, "Single letters and signs are keys"),
    ),
    el("h2", null, "In the box"),
    rows(WORDS, (word) => el("code", null, word)),
    el(
      "form",
      { method: "dialog" },
      el("button", { class: "main", autofocus: true }, "Close"),
    ),
  );
  box.showModal();
}
