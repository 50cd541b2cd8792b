// Making elements. Text is only ever set as text: what documents say is untrusted, and nothing here can read it as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(
    ...children
      .flat(Infinity)
      .filter(
        (child) => child !== null && child !== undefined && child !== false,
      ),
  );
  return node;
}

/** An element: `el("a", { href, onclick }, "text", child)`. Children that are null or false are left out. */
export function el(name, properties, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** The same for a drawing. */
export function svg(name, properties, ...children) {
  return fill(document.createElementNS(SVG, name), properties, children);
}

/** Words for screen readers only. */
export function unseen(text) {
  return el("span", { class: "unseen" }, text);
}

/** `1 passage`, `2 passages`. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
