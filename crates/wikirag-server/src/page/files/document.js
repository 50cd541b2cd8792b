// A document, opened at the lines that were cited. Long ones are read in pieces.

import * as api from "./api.js";
import { badges } from "./badges.js";
import { cite, parse, place } from "./citation.js";
import { el, unseen } from "./dom.js";
import { renderer } from "./markdown.js";
import { go, link, now, toGraph } from "./state.js";

const BEFORE = 60;
const AFTER = 240;

/** What to ask for, so that the cited lines come with what is around them. */
function windows({ path, lines, pages }) {
  if (lines)
    return [{ lines: [Math.max(1, lines[0] - BEFORE), lines[1] + AFTER] }];
  if (pages) return [{ pages }];
  // Whether it has lines or pages only the document knows.
  const either = [{ lines: [1, AFTER + BEFORE] }, { pages: [1, 3] }];
  return /\.pdf$/iu.test(path) ? either.reverse() : either;
}

/** The first of `windows` that the document has. */
async function fetchAt(target, rag, signal) {
  let last;
  for (const at of windows(target)) {
    try {
      const document = await api.document(
        { wiki: target.wiki, path: target.path, ...at, rag },
        signal,
      );
      return { document, asked: at };
    } catch (error) {
      if (error.status !== 404) throw error;
      last = error;
    }
  }
  throw last;
}

const split = (text) => text.replace(/\r?\n$/u, "").split(/\r?\n/u);

/** The rows of some lines; those that are cited lie in a section of their own. */
function rows(text, first, page, cited) {
  const render = renderer(page, first);
  const box = document.createDocumentFragment();
  let into = box;
  let section = null;
  split(text).forEach((line, index) => {
    const number = first + index;
    const isCited = cited && number >= cited[0] && number <= cited[1];
    if (isCited && !section) {
      section = el("section", {
        class: "cited",
        "aria-label": `Cited: ${place({ lines: cited })}`,
        tabindex: "-1",
      });
      box.append(section);
    }
    into = isCited ? section : box;
    const { kind, nodes } = render.next(line);
    into.append(
      el(
        "div",
        { class: `line ${kind}`, "data-line": number },
        nodes.length > 0 ? nodes : "\u200b",
      ),
    );
  });
  return box;
}

function pieces({ document: { text, lines, pages }, asked, target, more }) {
  if (pages) {
    const body = el(
      "div",
      { class: "lines paged" },
      el("p", { class: "quiet" }, place({ pages })),
      rows(text, 1, target, null),
    );
    for (const line of body.querySelectorAll(".line")) delete line.dataset.line;
    return body;
  }
  const body = el("div", { class: "lines" });
  body.append(rows(text, lines[0], target, target.lines));
  const button = (words, from, to) =>
    el(
      "button",
      {
        type: "button",
        class: "more-lines",
        onclick: (event) => more(event.currentTarget, [from, to]),
      },
      words,
    );
  if (lines[0] > 1)
    body.prepend(
      button("Earlier lines", Math.max(1, lines[0] - AFTER), lines[0] - 1),
    );
  // As many as asked for: there may be more behind them.
  if (lines[1] === asked.lines[1])
    body.append(button("Later lines", lines[1] + 1, lines[1] + AFTER));
  return body;
}

/** What the front matter says, and its tags to search by. */
function facts(meta) {
  const shown = Object.entries(meta ?? {}).filter(
    ([, value]) => value !== null && value !== "",
  );
  if (shown.length === 0) return null;
  const word = (value) =>
    typeof value === "object" ? JSON.stringify(value) : String(value);
  const list = (value) => (Array.isArray(value) ? value : [value]).map(word);
  const tagged = (value) =>
    list(value)
      .map((tag) => tag.replace(/^#/u, ""))
      .map((tag) =>
        el(
          "a",
          {
            class: "chip tag",
            href: link({
              view: "search",
              tags: [...new Set([...now().tags, tag])],
            }),
          },
          unseen("Search by tag "),
          `#${tag}`,
        ),
      );
  return el(
    "details",
    { class: "front-matter" },
    el("summary", null, `Front matter (${shown.length})`),
    el(
      "dl",
      null,
      shown.map(([name, value]) => [
        el("dt", null, name),
        el(
          "dd",
          null,
          /^tags?$/u.test(name) ? tagged(value) : list(value).join(", "),
        ),
      ]),
    ),
  );
}

/** Fills the pane with the document that `id` cites. */
export async function showDocument({ head, box }, { id, rag }, signal) {
  const target = parse(id);
  const fetched = await fetchAt(target, rag, signal);
  const { document: read } = fetched;
  const page = { wiki: read.wiki, path: read.path };

  // More lines come in above or below; what is being read stays where it is.
  const more = async (button, lines) => {
    button.disabled = true;
    const piece = await api
      .document({ ...page, lines, rag }, signal)
      .catch(() => null);
    // A document may end just there.
    if (!piece) return button.remove();
    const above =
      lines[1] <
      Number(button.parentElement.querySelector(".line").dataset.line);
    const next = pieces({
      document: piece,
      asked: { lines: above ? [lines[0], Infinity] : lines },
      target: { ...page, lines: target.lines },
      more,
    });
    if (!above) next.querySelector(".more-lines:first-child")?.remove();
    const height = box.scrollHeight;
    button.replaceWith(...next.childNodes);
    if (above) box.scrollTop += box.scrollHeight - height;
  };

  const body = pieces({ ...fetched, target: { ...target, ...page }, more });
  head.replaceChildren(
    el("h2", { id: "reader-title", tabindex: "-1" }, read.title),
    el(
      "p",
      { class: "facts" },
      el("span", { class: "cite" }, cite({ ...target, ...page })),
      " ",
      badges(read),
    ),
    el(
      "p",
      { class: "acts" },
      el("a", { href: toGraph(cite(page)) }, "Graph"),
      (target.lines || target.pages) &&
        el("a", { href: link({ doc: cite(page) }) }, "From the start"),
    ),
  );
  box.replaceChildren(...[facts(read.meta), body].filter(Boolean));
  const cited = body.querySelector(".cited");
  if (cited) {
    // A few lines before it, so that it is seen where it stands.
    const top =
      cited.getBoundingClientRect().top - body.getBoundingClientRect().top;
    box.scrollTop +=
      cited.getBoundingClientRect().top -
      box.getBoundingClientRect().top -
      Math.min(120, top);
  } else box.scrollTop = 0;
}

/** Finds the page that a link means, by the same rule as the engine, and opens it. */
export async function showPage(open, rag, signal) {
  const { wiki, path } = parse(open);
  const found = await api.graph(
    { wiki, page: path, rag, depth: 1, limit: 1 },
    signal,
  );
  go({ open: "", doc: `${found.wiki}/${found.page}` }, { replace: true });
}
