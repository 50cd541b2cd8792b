// Why a result stands where it does: the sum and the products that made its score, in numbers that one can add up again.

import { el } from "./dom.js";

/** Four decimals: enough to add up again, and few enough to read. */
export const number = (value) =>
  Math.abs(value) >= 1000 ? value.toFixed(1) : value.toFixed(4);
const short = (value) => Number(value.toPrecision(3)).toString();

function bar(value, most, kind) {
  const inner = el("span", { class: `bar-fill ${kind}` });
  // By the object model: the policy of the page forbids style attributes.
  inner.style.width = `${Math.max(0, Math.min(1, most > 0 ? value / most : 0)) * 100}%`;
  return el("span", { class: "bar", "aria-hidden": "true" }, inner);
}

const row = (name, how, value, most, kind) =>
  el(
    "tr",
    { class: kind },
    el("th", { scope: "row" }, name),
    el(
      "td",
      { class: "how" },
      how,
      most !== undefined && bar(value, most, kind),
    ),
    el("td", { class: "value" }, number(value)),
  );

function wikiRow(wiki, part, inside) {
  const evidence = part.evidence.map(
    ({ layer, value }) => `${layer} ${short(value)}`,
  );
  const weight =
    evidence.length > 0
      ? `weight ${short(part.weight)} of ${[`given ${short(part.given)}`, ...evidence].join(" × ")}`
      : `weight ${short(part.weight)}`;
  return row(
    `in ${wiki}`,
    `rank ${part.rank} by ${number(inside)} · ${weight}`,
    part.value,
    Math.max(part.weight, part.value),
    "sum",
  );
}

function factorRow(factor) {
  const name = factor.name === "scale" ? "× scale" : `× ${factor.name}`;
  return row(
    name,
    factor.note,
    factor.value,
    2,
    factor.value < 1 ? "less" : "factor",
  );
}

/** The table of one result. */
export function explanation({ wiki, layers, explanation: why, score }) {
  const most = Math.max(...layers.map((layer) => layer.value), 0);
  const each = layers.map((part) =>
    row(
      part.layer,
      `rank ${part.rank} · score ${short(part.score)} · weight ${short(part.weight)}`,
      part.value,
      most,
      "layer",
    ),
  );
  const rows = el("tbody", null, each);
  if (!why) return el("table", { class: "why" }, rows);
  rows.append(
    row(
      "together",
      layers.length > 1 ? "sum of the layers" : "",
      why.inside,
      undefined,
      "sum",
    ),
  );
  rows.append(...why.wikis.map((part) => wikiRow(wiki, part, why.inside)));
  if (why.reranked !== undefined)
    rows.append(
      row(
        "reranked",
        "a model put this in its place",
        why.reranked,
        undefined,
        "factor",
      ),
    );
  rows.append(...(why.factors ?? []).map(factorRow));
  rows.append(
    row(
      "score",
      "comparable within this answer only",
      score,
      undefined,
      "total",
    ),
  );
  return el(
    "table",
    { class: "why" },
    el("caption", { class: "unseen" }, "How the score was made"),
    rows,
  );
}
