// A light touch of Markdown, line by line, so that line numbers stay true: headings, lists, quotes, fences, links, emphasis. It makes
// elements and sets texts; markup in a document stays text. Images are not loaded: a page that was read must not tell anybody.

import { el } from "./dom.js";
import { toDocument, toPage } from "./state.js";

/** Longer lines are shown as they are. */
const LONGEST = 4000;

// Each alternative stops at the first character that cannot belong to it, so no text takes more than its length squared.
const INLINE =
  /`([^`\n]+)`|!?\[\[([^[\]|\n]+)(?:\|([^[\]\n]+))?\]\]|!?\[([^[\]\n]+)\]\(<?([^()<>\s]+)>?\)|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])|(https?:\/\/[^\s<>()[\]"'`]+)/gu;

/** Where a link of a document leads: an address for `href`, or `undefined` where nothing safe can be made of it. */
export function target(href, { wiki, path }) {
  if (/^[a-z][a-z0-9+.-]*:/iu.test(href))
    return /^(https?|mailto):/iu.test(href) ? href : undefined;
  const [file] = href.split("#");
  if (file === "" || href.startsWith("//")) return undefined;
  let name;
  try {
    name = decodeURIComponent(file);
  } catch {
    return undefined;
  }
  const parts = name.startsWith("/") ? [] : path.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return toDocument(`${wiki}/${parts.join("/")}`);
}

function anchor(href, text, page) {
  const to = target(href, page);
  if (to === undefined) return text;
  const away = !to.startsWith("#");
  return el(
    "a",
    away
      ? {
          href: to,
          rel: "noopener noreferrer nofollow",
          target: "_blank",
          title: to,
          class: "away",
        }
      : { href: to },
    text,
  );
}

/** The nodes of a line without its marker. */
export function inline(text, page) {
  const nodes = [];
  let done = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, code, wikilink, alias, words, href, strong, emphasis, address] =
      found;
    nodes.push(text.slice(done, found.index));
    done = found.index + all.length;
    if (code !== undefined) nodes.push(el("code", null, code));
    else if (wikilink !== undefined) {
      const name = wikilink.split("#")[0].trim();
      nodes.push(
        name
          ? el(
              "a",
              { href: toPage(`${page.wiki}/${name}`), class: "wikilink" },
              alias ?? wikilink,
            )
          : (alias ?? wikilink),
      );
    } else if (words !== undefined) nodes.push(anchor(href, words, page));
    else if (strong !== undefined)
      nodes.push(el("strong", null, inline(strong, page)));
    else if (emphasis !== undefined)
      nodes.push(el("em", null, inline(emphasis, page)));
    else nodes.push(anchor(address, address, page));
  }
  nodes.push(text.slice(done));
  return nodes.filter((node) => node !== "");
}

/** Renders lines one after the other: `next(line)` gives `{ kind, nodes }`. `first` is the number of the first line. */
export function renderer(page, first) {
  let fence = null;
  let front = false;
  let number = first;
  return {
    next(line) {
      const place = number;
      number += 1;
      if (place === 1 && line.trimEnd() === "---") front = true;
      else if (front) {
        if (/^(---|\.\.\.)\s*$/u.test(line)) {
          front = false;
          return { kind: "front", nodes: [line] };
        }
      }
      if (front) return { kind: "front", nodes: [line] };
      const ticks = /^\s*(`{3,}|~{3,})/u.exec(line)?.[1];
      if (fence) {
        if (ticks?.startsWith(fence) && line.trim() === ticks) fence = null;
        return { kind: "code", nodes: [line] };
      }
      if (ticks) {
        fence = ticks;
        return { kind: "code", nodes: [line] };
      }
      if (line.length > LONGEST) return { kind: "text", nodes: [line] };
      const heading = /^(#{1,6})\s+(.*)$/u.exec(line);
      if (heading)
        return {
          kind: `h${Math.min(heading[1].length, 4)}`,
          nodes: inline(heading[2], page),
        };
      if (/^\s*\|.*\|\s*$/u.test(line))
        return { kind: "table", nodes: inline(line, page) };
      const quote = /^\s*((?:>\s?)+)(.*)$/u.exec(line);
      if (quote) return { kind: "quote", nodes: inline(quote[2], page) };
      const item = /^(\s*)([-*+]|\d{1,9}[.)])(\s+)(.*)$/u.exec(line);
      if (item)
        return {
          kind: "item",
          nodes: [
            item[1].replaceAll("\t", "  "),
            /\d/u.test(item[2]) ? `${item[2]} ` : "• ",
            ...inline(item[4], page),
          ],
        };
      return {
        kind: line.trim() === "" ? "blank" : "text",
        nodes: inline(line, page),
      };
    },
  };
}
