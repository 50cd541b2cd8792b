// Citations: `wiki/path:12-14`, `wiki/path#page=3`, as the engine writes and reads them.

/** Of anything that has `wiki`, `path`, and `lines` or `pages`. */
export function cite({ wiki, path, lines, pages }) {
  const range = ([first, last]) =>
    first === last ? `${first}` : `${first}-${last}`;
  if (pages) return `${wiki}/${path}#page=${range(pages)}`;
  return lines ? `${wiki}/${path}:${range(lines)}` : `${wiki}/${path}`;
}

/** The opposite: `{ wiki, path, lines?, pages? }`. */
export function parse(text) {
  const found = /^([^/]*)\/(.*?)(?:(:|#page=)(\d+)(?:-(\d+))?)?$/su.exec(text);
  if (!found) return { wiki: "", path: text };
  const [, wiki, path, sign, first, last] = found;
  const place = sign && [Number(first), Number(last ?? first)];
  if (!place) return { wiki, path };
  return sign === ":"
    ? { wiki, path, lines: place }
    : { wiki, path, pages: place };
}

/** `lines 12 to 14`, for people. */
export function place({ lines, pages }) {
  const say = (one, [first, last]) =>
    first === last ? `${one} ${first}` : `${one}s ${first} to ${last}`;
  if (pages) return say("page", pages);
  return lines ? say("line", lines) : "";
}
