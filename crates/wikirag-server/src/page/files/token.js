// The token of a server that asks for one. It lives in the storage of this tab and goes with it; it is never in an address.

import { el } from "./dom.js";

const KEY = "wikirag.token";
let memory = "";
let asking = null;

const stored = () => {
  try {
    return sessionStorage.getItem(KEY) ?? memory;
  } catch {
    return memory;
  }
};

function store(value) {
  memory = value;
  // Storage may be forbidden; then it lasts as long as the page.
  try {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  } catch {
    /* as said */
  }
}

function dialog(wrong) {
  const box = globalThis.document.getElementById("token");
  const input = el("input", {
    id: "token-value",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
  });
  return new Promise((resolve, reject) => {
    const form = el(
      "form",
      {
        onsubmit: (event) => {
          // The form goes nowhere: the policy of the page allows no address for it.
          event.preventDefault();
          store(input.value.trim());
          box.close("given");
        },
      },
      el("h2", { id: "token-title" }, "This server asks for a token"),
      wrong &&
        el(
          "p",
          { class: "wrong", role: "alert" },
          "The server does not know that token.",
        ),
      el("label", { for: "token-value" }, "Token"),
      input,
      el("p", { class: "quiet" }, "It is kept in this tab until you close it."),
      el(
        "p",
        { class: "row" },
        el("button", { type: "submit", class: "main" }, "Use it"),
        el(
          "button",
          { type: "button", onclick: () => box.close("") },
          "Not now",
        ),
      ),
    );
    box.replaceChildren(form);
    box.returnValue = "";
    box.addEventListener(
      "close",
      () =>
        box.returnValue === "given"
          ? resolve()
          : reject(new Error("no token was given")),
      { once: true },
    );
    box.showModal();
    input.focus();
  });
}

export const token = {
  get: stored,
  /** Forgets a token that was refused, unless another one was given in the meantime. */
  drop(refused) {
    if (stored() === refused) store("");
  },
  /** Asks for one; of several requests at once the first asks for all. */
  async ask(wrong) {
    if (stored()) return;
    asking ??= dialog(wrong).finally(() => {
      asking = null;
    });
    await asking;
  },
};
