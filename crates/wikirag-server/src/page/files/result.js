// One result.

import { badges } from "./badges.js";
import { cite, place } from "./citation.js";
import { conflict } from "./conflict.js";
import { count, el, unseen } from "./dom.js";
import { explanation } from "./explain.js";
import { marked } from "./marks.js";
import { toDocument, toGraph } from "./state.js";

function why(result) {
  const box = el("div", {
    class: "why-box",
    id: `why-${result.rank}`,
    hidden: true,
  });
  const button = el(
    "button",
    {
      type: "button",
      class: "link",
      "aria-expanded": "false",
      "aria-controls": box.id,
      "data-why": true,
      onclick: () => {
        // Made when it is asked for: most are never looked at.
        if (box.childElementCount === 0) box.append(explanation(result));
        box.hidden = !box.hidden;
        button.setAttribute("aria-expanded", String(!box.hidden));
      },
    },
    "Why",
    unseen(` is ${result.title} result ${result.rank}`),
  );
  return { button, box };
}

const other = (passage, ...words) =>
  el(
    "li",
    null,
    el("a", { href: toDocument(cite(passage)) }, cite(passage)),
    words,
  );

const list = (title, kind, entries) =>
  entries?.length > 0 &&
  el(
    "details",
    { class: `others ${kind}` },
    el("summary", null, title),
    el("ul", null, entries),
  );

/** The article of a result. */
export function result(found) {
  const { title, headings, conflicts, same, passages, more } = found;
  const under = headings.filter((heading) => heading !== title).join(" › ");
  const { button, box } = why(found);
  return el(
    "article",
    { class: "result" },
    el(
      "h3",
      null,
      el("a", { href: toDocument(cite(found)), class: "open" }, title),
      under && el("span", { class: "under" }, ` › ${under}`),
    ),
    el("p", { class: "snippet" }, marked(found.snippet)),
    el(
      "div",
      { class: "foot" },
      el(
        "p",
        { class: "facts" },
        el(
          "span",
          { class: "cite", title: `${found.path}, ${place(found)}` },
          cite(found),
        ),
        " ",
        badges(found),
        more > 0 && el("span", null, `${more} more in this document`),
      ),
      el(
        "p",
        { class: "acts" },
        button,
        el(
          "a",
          { href: toGraph(`${found.wiki}/${found.path}`), "data-graph": true },
          "Graph",
          unseen(` of ${title}`),
        ),
      ),
    ),
    list(
      count(conflicts?.length ?? 0, "disagreement"),
      "conflicts",
      conflicts?.map(conflict),
    ),
    list(
      count(
        same?.length ?? 0,
        "more place with the same text",
        "more places with the same text",
      ),
      "same",
      same?.map((one) => other(one)),
    ),
    list(
      count(passages?.length ?? 0, "more passage of it", "more passages of it"),
      "passages",
      passages?.map((one) =>
        other(
          { ...one, wiki: found.wiki, path: found.path },
          " ",
          marked(one.snippet),
        ),
      ),
    ),
    box,
  );
}
