// What people ask for and find too little of.

import * as api from "./api.js";
import { count, el } from "./dom.js";
import { latest } from "./latest.js";
import { wrong } from "./notice.js";
import { link, toDocument } from "./state.js";

const percent = (part) => `${Math.round(part * 100)} %`;
const search = (question) =>
  el("a", { href: link({ view: "search", q: question, tags: [] }) }, question);

function topic({ label, asked, strength, nearest, questions }) {
  return el(
    "section",
    { class: "card", "aria-label": label },
    el("h3", null, label),
    el(
      "p",
      { class: "facts" },
      `asked ${count(asked, "time")} · support ${percent(strength)}`,
      nearest && [
        " · nearest: ",
        el(
          "a",
          { href: toDocument(`${nearest.wiki}/${nearest.path}`) },
          nearest.title ?? nearest.path,
        ),
      ],
    ),
    el(
      "ul",
      null,
      questions.map((one) =>
        el(
          "li",
          null,
          search(one.question),
          el(
            "span",
            { class: "quiet" },
            ` ${one.asked} × · ${percent(one.strength)}`,
          ),
        ),
      ),
    ),
  );
}

/** The view. */
export function gapsView() {
  const requests = latest();
  const head = el("h2", { tabindex: "-1" }, "Gaps");
  const list = el("div", { class: "cards" });
  const status = el("p", { class: "found", role: "status" });
  return {
    node: el(
      "div",
      { class: "view" },
      head,
      el(
        "p",
        { class: "quiet" },
        "Questions that were asked and found too little, put together into topics.",
      ),
      status,
      list,
    ),
    label: "Gaps",
    async show(state) {
      try {
        const found = await requests.run((signal) =>
          api.gaps({ rag: state.rag }, signal),
        );
        if (!found) return;
        status.replaceChildren(
          found.topics.length === 0
            ? "No gaps are known."
            : `${count(found.total, "topic")} out of ${count(found.questions, "question")}`,
        );
        list.replaceChildren(...found.topics.map(topic));
      } catch (error) {
        // Where nothing was ever logged, or no log is kept, there is none to look at.
        if (error.status === 404)
          status.replaceChildren("No questions have been logged here.");
        list.replaceChildren(...(error.status === 404 ? [] : [wrong(error)]));
      }
    },
    focus: () => head.focus(),
  };
}
