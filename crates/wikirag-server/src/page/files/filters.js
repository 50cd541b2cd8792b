// Which wikis and tags are searched. A filter by tag is a part of the question, as on the command line: `tag:herbs`.

import { el, unseen } from "./dom.js";
import { go, now } from "./state.js";

/** The question with its tags. What has blanks or quotes in it is quoted. */
export function question({ q, tags }) {
  const quoted = (tag) =>
    /[\s"]/u.test(tag) ? `"${tag.replaceAll('"', "")}"` : tag;
  return [q, ...tags.map((tag) => `tag:${quoted(tag)}`)].join(" ");
}

const toggled = (list, name) =>
  list.includes(name) ? list.filter((one) => one !== name) : [...list, name];

function wikiChip({ wiki, title }, chosen) {
  return el(
    "button",
    {
      type: "button",
      class: "chip",
      title: title === wiki ? undefined : title,
      "aria-pressed": String(chosen),
      "data-wiki": wiki,
      onclick: () => go({ wikis: toggled(now().wikis, wiki) }),
    },
    wiki,
  );
}

function tagChip(tag) {
  return el(
    "button",
    {
      type: "button",
      class: "chip tag",
      onclick: () => go({ tags: now().tags.filter((one) => one !== tag) }),
    },
    unseen("Remove tag "),
    `#${tag}`,
    el("span", { "aria-hidden": "true" }, " ×"),
  );
}

function newTag() {
  return el("input", {
    class: "chip new-tag",
    "aria-label": "Only passages with this tag",
    placeholder: "+ tag",
    size: "8",
    spellcheck: "false",
    autocapitalize: "off",
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      const tag = event.target.value.trim().replace(/^#/u, "");
      if (tag) go({ tags: [...new Set([...now().tags, tag])] });
    },
  });
}

/** The row of filters. It keeps the focus where the reader was when it is made anew. */
export function filters(box, cards, state) {
  const active = document.activeElement;
  const focused = box.contains(active) && (active.dataset.wiki ?? "\ntag");
  const chips =
    cards.length > 1
      ? cards.map((card) => wikiChip(card, state.wikis.includes(card.wiki)))
      : [];
  box.replaceChildren(...chips, ...state.tags.map(tagChip), newTag());
  if (focused)
    (
      box.querySelector(`[data-wiki="${CSS.escape(focused)}"]`) ??
      box.querySelector(".new-tag")
    ).focus();
}
