// The text of an answer, with its citations as links. What a language model writes is as untrusted as what it read.

import { cite } from "./citation.js";
import { el } from "./dom.js";
import { renderer } from "./markdown.js";
import { toDocument } from "./state.js";

// `[[page]]` for curated pages, `(Source: path)` for sources, several with `;` between them. The engine compares them with the
// passages and puts a mark behind those that it does not find there.
const CITATION =
  /(\[\[([^[\]\n]+)\]\]|\(Source:\s*([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\))( \[not among the sources\])?/gu;

const ENDING = /\.[a-z0-9]+$/iu;
const PLACE = /:\d+(-\d+)?$|, p\. [\d-]+$/u;
const bare = (name) =>
  name.split("|")[0].split("#")[0].trim().replace(PLACE, "").toLowerCase();

/** Finds the block of the context that a citation names: by title, path, or name of its file. */
function resolver(blocks) {
  const known = new Map();
  for (const block of blocks) {
    const path = block.path.replace(ENDING, "");
    const file = path.split("/").pop();
    for (const name of [
      block.path,
      `${block.wiki}/${block.path}`,
      path,
      `${block.wiki}/${path}`,
      block.title,
      file,
    ]) {
      if (!known.has(bare(name))) known.set(bare(name), block);
    }
  }
  return (name) => known.get(bare(name));
}

function cited(text, find) {
  const nodes = [];
  let done = 0;
  const link = (words, name) => {
    const block = find(name);
    return block
      ? el(
          "a",
          {
            class: "citation",
            href: toDocument(cite(block)),
            title: cite(block),
          },
          words,
        )
      : words;
  };
  for (const found of text.matchAll(CITATION)) {
    const [all, written, page, sources, mark] = found;
    nodes.push(text.slice(done, found.index));
    done = found.index + all.length;
    if (mark) nodes.push(el("span", { class: "invented" }, all));
    else if (page) nodes.push(link(written, page));
    else {
      const links = sources.split(";").map((name) => link(name.trim(), name));
      nodes.push(
        "(Source: ",
        ...links.flatMap((node, place) => (place > 0 ? ["; ", node] : [node])),
        ")",
      );
    }
  }
  nodes.push(text.slice(done));
  return nodes.filter((node) => node !== "");
}

/** The nodes of an answer: its lines, lightly rendered, every citation a link or marked as invented. */
export function answerNodes(text, blocks) {
  const find = resolver(blocks);
  const render = renderer({ wiki: "", path: "" }, 2);
  return text.split("\n").map((line) => {
    const { kind, nodes } = render.next(line);
    // Links that the model wrote lead nowhere: only citations do.
    const flat = nodes.flatMap((node) =>
      typeof node === "string" || node.tagName !== "A"
        ? [node]
        : [
            node.classList.contains("wikilink")
              ? `[[${node.textContent}]]`
              : node.textContent,
          ],
    );
    return el(
      "div",
      { class: `line ${kind}` },
      joined(flat).flatMap((node) =>
        typeof node === "string" ? cited(node, find) : [node],
      ),
    );
  });
}

/** Neighbouring texts as one, so that a citation is not cut by what lies inside it. */
function joined(nodes) {
  const whole = [];
  for (const node of nodes) {
    if (typeof node === "string" && typeof whole.at(-1) === "string")
      whole[whole.length - 1] += node;
    else whole.push(node);
  }
  return whole;
}
