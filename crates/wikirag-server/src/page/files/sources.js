// What an answer was written from: the blocks of a context.

import { badges } from "./badges.js";
import { cite } from "./citation.js";
import { conflict } from "./conflict.js";
import { count, el } from "./dom.js";
import { marked } from "./marks.js";
import { degraded } from "./notice.js";
import { toDocument } from "./state.js";

const source = (block) =>
  el(
    "li",
    null,
    el(
      "details",
      null,
      el(
        "summary",
        null,
        el("span", { class: "source-title" }, block.title),
        " ",
        el("span", { class: "cite" }, cite(block)),
        " ",
        badges(block),
      ),
      el(
        "pre",
        { tabindex: "0", "aria-label": `Text of ${cite(block)}` },
        block.text,
      ),
    ),
    el("a", { href: toDocument(cite(block)) }, "Open"),
  );

/** How much of its budget a context takes, and what it had no room for. */
function size({ tokens, budget, left_out: out }) {
  const number = (value) => value.toLocaleString("en");
  return `${number(tokens)} of ${number(budget)} tokens${out > 0 ? `, ${count(out, "passage")} left out` : ""}`;
}

/** The passages of a context, and where they disagree. */
export function contextNodes(packed, title) {
  return [
    packed.conflicts?.length > 0 && [
      el("h2", null, "Disagreements"),
      el("ul", null, packed.conflicts.map(conflict)),
    ],
    el("h2", null, title, el("span", { class: "under" }, ` ${size(packed)}`)),
    el("ol", null, packed.blocks.map(source)),
  ]
    .flat()
    .filter(Boolean);
}

const DOUBTS = {
  doubtful: "its sources hold less than half of its words",
  "other-number": "its sources do not hold the number",
  misquoted: "its sources do not hold the quotation",
  invented: "one of its citations leads nowhere",
};

/** What was found of a finished answer: what it cites, with the nearest words, and sentences that its sources do not bear out. */
export function checkedNodes({
  sources = [],
  claims = [],
  degraded: reasons,
  hints,
}) {
  const doubts = claims.filter(({ verdict }) => verdict in DOUBTS);
  const cites = ({ quote, ...place }) =>
    el(
      "li",
      { class: "quoted" },
      el("a", { href: toDocument(cite(place)) }, place.title),
      " ",
      el("span", { class: "cite" }, cite(place)),
      el("p", { class: "snippet" }, marked(quote)),
    );
  const doubt = ({ text, verdict, missing_numbers: numbers = [] }) =>
    el(
      "li",
      null,
      el("q", null, text),
      ` ${[DOUBTS[verdict], ...numbers].join(" ")}`,
    );
  return [
    doubts.length > 0 && el("h2", null, "To be looked at"),
    doubts.length > 0 && el("ul", { class: "doubts" }, doubts.map(doubt)),
    sources.length > 0 && el("h2", null, "Cited"),
    sources.length > 0 && el("ul", null, sources.map(cites)),
    degraded({ degraded: reasons, hints }),
  ].filter(Boolean);
}
