// The pages around a page: a drawing that one can walk, and the same as lists.

import * as api from "./api.js";
import { cite, parse } from "./citation.js";
import { count, el, svg } from "./dom.js";
import { layout, step } from "./layout.js";
import { link, toDocument, toGraph } from "./state.js";

const LIMIT = 40;
/** Width of a letter, about: labels end before the next column begins. */
const LETTER = 7;

/** Titles differ at their ends as often as at their beginnings, so both are kept. */
function cut(title, most) {
  const letters = [...title];
  if (letters.length <= most) return title;
  const tail = Math.floor(most / 3);
  return `${letters
    .slice(0, most - tail - 1)
    .join("")
    .trimEnd()}…${letters.slice(-tail).join("").trimStart()}`;
}

function curve(from, to, isStacked) {
  if (isStacked) {
    const out =
      Math.min(from.x, to.x) - 6 - Math.min(18, Math.abs(from.y - to.y) / 12);
    return `M${from.x} ${from.y}C${out} ${from.y} ${out} ${to.y} ${to.x} ${to.y}`;
  }
  const bend = from.x === to.x ? 60 : (to.x - from.x) / 2;
  return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${from.x === to.x ? to.x + bend : to.x - bend} ${to.y} ${to.x} ${to.y}`;
}

function edgeNodes(edges, { places, isStacked }, centre) {
  return edges
    .filter(({ from, to }) => from !== to && places.has(from) && places.has(to))
    .map(({ from, to, kind, times }) =>
      svg(
        "path",
        {
          d: curve(places.get(from), places.get(to), isStacked),
          class: `edge ${kind} ${from === centre || to === centre ? "near" : "far"}`,
        },
        svg(
          "title",
          null,
          `${from} → ${to} (${kind}${times > 1 ? `, ${times} times` : ""})`,
        ),
      ),
    );
}

function nodeOf(node, at, wiki, letters, isStacked) {
  const isThis = node.distance === 0;
  // With labels on both sides that of the page itself stands above it.
  const isCentre = isThis && !isStacked;
  const left = at.side < 0;
  const label = svg(
    "text",
    {
      x: at.x + (isCentre ? 0 : left ? -10 : 10),
      y: at.y + (isCentre ? -13 : 4),
      class: left ? "left" : isCentre ? "centre" : "right",
    },
    cut(node.title, letters),
  );
  const dot = svg("circle", {
    cx: at.x,
    cy: at.y,
    r: isThis ? 7 : Math.min(6, 2.5 + Math.log2(1 + node.degree) / 2),
  });
  const name = `${node.title}${isThis ? ", this page" : ""}`;
  return svg(
    "a",
    {
      href: isThis
        ? toDocument(`${wiki}/${node.id}`)
        : toGraph(`${wiki}/${node.id}`),
      class: `node ${isThis ? "this" : ""} ${node.kind}`,
      "aria-label": name,
      "data-id": node.id,
      tabindex: isThis ? "0" : "-1",
    },
    svg("title", null, node.summary || node.title),
    dot,
    label,
  );
}

/** The drawing. Arrow keys walk over it, Enter makes a page the centre. */
function drawing(graph, room) {
  const plan = layout(graph, room);
  const { width, height, places } = plan;
  const letters = Math.floor(plan.label / LETTER);
  const nodes = graph.nodes.map((node) =>
    nodeOf(node, places.get(node.id), graph.wiki, letters, plan.isStacked),
  );
  const node = (id) => nodes.find((one) => one.dataset.id === id);
  return svg(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "group",
      "aria-label": "Map of the pages around this one; arrow keys walk over it",
      onkeydown: (event) => {
        const to = step(places, event.target.dataset?.id, event.key);
        if (!to) return;
        event.preventDefault();
        event.target.tabIndex = -1;
        node(to).tabIndex = 0;
        node(to).focus();
      },
    },
    edgeNodes(graph.edges, plan, graph.page),
    nodes,
  );
}

function entry(node, edge, graph) {
  const at =
    edge &&
    cite({
      wiki: graph.wiki,
      path: edge.from,
      ...(edge.line
        ? { lines: [edge.line, edge.line] }
        : edge.page
          ? { pages: [edge.page, edge.page] }
          : {}),
    });
  return el(
    "li",
    null,
    el("a", { href: toGraph(`${graph.wiki}/${node.id}`) }, node.title),
    " ",
    at && el("a", { class: "cite", href: toDocument(at) }, at),
    node.summary && el("p", { class: "quiet" }, node.summary),
  );
}

function lists(graph) {
  const node = (id) => graph.nodes.find((one) => one.id === id);
  const others = graph.edges.filter((edge) => edge.from !== edge.to);
  const group = (title, entries) =>
    entries.length > 0 && [
      el("h3", null, `${title} (${entries.length})`),
      el("ul", null, entries),
    ];
  const out = others.filter(
    (edge) => edge.from === graph.page && node(edge.to),
  );
  const into = others.filter(
    (edge) => edge.to === graph.page && node(edge.from),
  );
  const far = graph.nodes.filter((one) => one.distance > 1);
  return [
    group(
      "Links to",
      out.map((edge) => entry(node(edge.to), edge, graph)),
    ),
    group(
      "Linked from",
      into.map((edge) => entry(node(edge.from), edge, graph)),
    ),
    group(
      "Farther",
      far.map((one) => entry(one, null, graph)),
    ),
    group(
      "Links that lead to no one page",
      graph.unresolved.map((one) =>
        el(
          "li",
          null,
          el("code", null, one.target),
          one.candidates.length > 0 && ` fits ${one.candidates.join(", ")}`,
        ),
      ),
    ),
  ];
}

/** Fills the pane with the graph of a page. */
export async function showGraph({ head, box }, { id, rag, depth }, signal) {
  const { wiki, path } = parse(id);
  const graph = await api.graph(
    { wiki, page: path, rag, depth, limit: LIMIT },
    signal,
  );
  const [centre] = graph.nodes;
  const map = el(
    "div",
    { class: "map", tabindex: "0", role: "region", "aria-label": "Map" },
    drawing(graph, box.clientWidth),
  );
  head.replaceChildren(
    el("h2", { id: "reader-title", tabindex: "-1" }, centre.title),
    el(
      "p",
      { class: "facts" },
      el(
        "span",
        { class: "cite" },
        cite({ wiki: graph.wiki, path: graph.page }),
      ),
      " ",
      el(
        "span",
        null,
        count(graph.nodes.length - 1, "page"),
        graph.more > 0 && `, ${graph.more} more not shown`,
      ),
    ),
    el(
      "p",
      { class: "acts" },
      el(
        "a",
        { href: toDocument(cite({ wiki: graph.wiki, path: graph.page })) },
        "Read",
      ),
      el(
        "a",
        { href: link({ depth: depth === 2 ? "" : "2" }) },
        depth === 2 ? "One step" : "Two steps",
      ),
    ),
  );
  box.replaceChildren(
    ...[
      centre.summary && el("p", { class: "quiet summary" }, centre.summary),
      graph.nodes.length > 1
        ? map
        : el(
            "p",
            { class: "quiet" },
            "No page leads here, and this one leads to none.",
          ),
      el("div", { class: "graph-lists" }, lists(graph)),
    ].filter(Boolean),
  );
  box.scrollTop = 0;
  map.scrollLeft = (map.scrollWidth - map.clientWidth) / 2;
}
