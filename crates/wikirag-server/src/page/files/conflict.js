// Two passages that disagree, side by side. Which one is right is for the reader to say.

import { cite } from "./citation.js";
import { el } from "./dom.js";
import { toDocument } from "./state.js";

/** The entry of a list. */
export function conflict({ kind, here, there }) {
  const side = (one) => [
    el("q", null, one.sentence || one.text),
    " ",
    el("a", { class: "cite", href: toDocument(cite(one)) }, cite(one)),
  ];
  return el(
    "li",
    null,
    el("strong", null, `${kind}: `),
    side(here),
    there && [" — ", side(there)],
  );
}
