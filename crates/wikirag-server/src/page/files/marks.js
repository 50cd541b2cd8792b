// Marked words of a snippet. The engine counts bytes of UTF-8, JavaScript counts units of UTF-16.

import { el } from "./dom.js";

/** Cuts `text` at byte ranges: `[{ text, marked }]`, in order, which add up to `text`. A range that cuts a character, runs backwards
 * or overlaps an earlier one is widened or left out; it never loses or repeats text. */
export function parts(text, marks) {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  // To the begin of a character: continuation bytes are 10xxxxxx.
  const whole = (at) => {
    let place = Math.min(Math.max(0, at), bytes.length);
    while (place < bytes.length && (bytes[place] & 0xc0) === 0x80) place += 1;
    return place;
  };
  const cut = [];
  let done = 0;
  const take = (end, marked) => {
    if (end > done)
      cut.push({ text: decoder.decode(bytes.subarray(done, end)), marked });
    done = Math.max(done, end);
  };
  for (const [start, end] of marks) {
    const from = Math.max(whole(start), done);
    const to = whole(end);
    if (to <= from) continue;
    take(from, false);
    take(to, true);
  }
  take(bytes.length, false);
  return cut;
}

// Signs of Markdown between the words of a snippet, which is one line of source text.
const MARKUP =
  /(\*\*+|\[\[|\]\]|(?<=^|\s|…)(?:#{1,6}|>|\|[-:|]*\|?)(?=\s|$)|`+)/u;

/** Signs step back behind words, but they stay: what is cited is what stands there. */
function quieted(text) {
  return text
    .split(MARKUP)
    .map((part, place) =>
      place % 2 ? el("span", { class: "sign" }, part) : part,
    );
}

/** The nodes of a snippet. */
export function marked({ text, marks }) {
  return parts(text, marks).map((part) =>
    part.marked ? el("mark", null, part.text) : quieted(part.text),
  );
}
