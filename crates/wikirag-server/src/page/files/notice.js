// What went wrong, and what an answer lacks.

import { el } from "./dom.js";

/** Text in which `code` stands between backticks. */
export function spoken(text) {
  return text
    .split("`")
    .map((part, place) => (place % 2 ? el("code", null, part) : part));
}

/** An error, read aloud at once. */
export function wrong(error) {
  return el(
    "div",
    { class: "notice wrong", role: "alert" },
    el("p", null, spoken(error.message)),
    error.remedy && el("p", { class: "quiet" }, spoken(error.remedy)),
  );
}

/** Why an answer is less than it could be: one line a cause, however many wikis have it. */
export function degraded({ degraded: reasons = [], hints = [] }) {
  if (reasons.length + hints.length === 0) return null;
  const causes = new Map();
  for (const reason of reasons) {
    const key = `${reason.layer}\n${reason.sentence}`;
    causes.set(key, {
      ...reason,
      wikis: [...(causes.get(key)?.wikis ?? []), reason.wiki],
    });
  }
  const layers = [...new Set(reasons.map((reason) => reason.layer))];
  const title =
    layers.length > 0 ? `Answered without ${layers.join(", ")}` : "Remarks";
  return el(
    "details",
    { class: "remarks" },
    el("summary", null, title),
    [...causes.values()].map(({ wikis, layer, sentence, remedy }) =>
      el(
        "p",
        null,
        el("strong", null, `${wikis.join(", ")}: ${layer}. `),
        spoken(sentence),
        "; ",
        el("span", { class: "quiet" }, spoken(remedy)),
      ),
    ),
    hints.map((hint) => el("p", null, spoken(hint.text))),
  );
}
