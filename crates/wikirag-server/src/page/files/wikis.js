// How the wikis stand.

import { badges } from "./badges.js";
import { el } from "./dom.js";
import { spoken } from "./notice.js";
import { link } from "./state.js";

const STATES = {
  ready: "ready",
  degraded: "in part",
  unavailable: "not there",
};

function layer(
  { layer: name, readiness, pending, chunks, reasons, required },
  total,
) {
  const reach =
    pending > 0
      ? `${(total - pending).toLocaleString("en")} of ${total.toLocaleString("en")}`
      : chunks.toLocaleString("en");
  // A layer that may be missing and is missing is no fault.
  const kind =
    readiness === "unavailable" && !required ? "optional" : readiness;
  return el(
    "tr",
    { class: kind },
    el("th", { scope: "row" }, name),
    el(
      "td",
      null,
      el("span", { class: `dot ${kind}`, "aria-hidden": "true" }),
      ` ${kind === "optional" ? "left out" : (STATES[readiness] ?? readiness)}`,
    ),
    el("td", { class: "value" }, readiness === "unavailable" ? "" : reach),
    el(
      "td",
      { class: "quiet" },
      reasons.map(({ sentence, remedy }) =>
        el("p", null, spoken(remedy ? `${sentence}; ${remedy}` : sentence)),
      ),
    ),
  );
}

function card(wiki) {
  const known = wiki.documents !== null && wiki.documents !== undefined;
  const numbers = known
    ? `${wiki.documents.toLocaleString("en")} documents, ${wiki.chunks.toLocaleString("en")} passages`
    : "never built, or it cannot be read";
  return el(
    "section",
    { class: "card", "aria-label": wiki.wiki },
    el(
      "h3",
      null,
      el(
        "a",
        { href: link({ view: "search", rag: wiki.rag, wikis: [wiki.wiki] }) },
        wiki.title,
      ),
      wiki.title !== wiki.wiki &&
        el("span", { class: "under" }, ` ${wiki.wiki}`),
    ),
    el(
      "p",
      { class: "facts" },
      numbers,
      " ",
      badges({ sensitivity: wiki.sensitivity }),
    ),
    wiki.layers.length > 0 &&
      el(
        "div",
        {
          class: "scroll",
          tabindex: "0",
          role: "group",
          "aria-label": `Layers of ${wiki.wiki}`,
        },
        el(
          "table",
          null,
          el("caption", { class: "unseen" }, `Layers of ${wiki.wiki}`),
          el(
            "thead",
            null,
            el(
              "tr",
              null,
              ["Layer", "State", "Passages", "Why"].map((name) =>
                el("th", { scope: "col" }, name),
              ),
            ),
          ),
          el(
            "tbody",
            null,
            wiki.layers.map((one) => layer(one, wiki.chunks ?? 0)),
          ),
        ),
      ),
  );
}

/** The view. */
export function wikisView() {
  const list = el("div", { class: "cards" });
  const head = el("h2", { tabindex: "-1" }, "Wikis");
  return {
    node: el("div", { class: "view" }, head, list),
    label: "Wikis",
    show: (state, cards) => list.replaceChildren(...cards.map(card)),
    focus: () => head.focus(),
  };
}
