// Small facts beside a passage or a document: how far it is to be trusted, who may read it, whether it is of today.

import { el } from "./dom.js";

const FRESHNESS = {
  stale: ["changed since", "The file has changed since it was indexed"],
  gone: ["gone", "The file is gone"],
  unknown: [
    "not compared",
    "The file could not be compared with what was indexed",
  ],
};
const ROLES = {
  curated: "Written and kept by people as the word on its subject",
  raw: "A source as it came",
};

export function badges({ role, sensitivity, freshness }) {
  const badge = (kind, text, title) =>
    text && el("span", { class: `badge ${kind}`, title }, text);
  const [age, why] = FRESHNESS[freshness] ?? [];
  return [
    badge(`role-${role}`, role, ROLES[role]),
    badge(`level level-${sensitivity}`, sensitivity, "Sensitivity of the wiki"),
    badge("stale", age, why),
  ];
}
