// An answer in words, written as one watches, and what it was written from.

import * as api from "./api.js";
import { answerNodes } from "./answer.js";
import { count, el } from "./dom.js";
import { filters, question } from "./filters.js";
import { latest } from "./latest.js";
import { wrong } from "./notice.js";
import { checkedNodes, contextNodes } from "./sources.js";
import { go, now } from "./state.js";

/** One line on a finished answer. */
function verdict({ answer, found, sources = [], invented = 0, model }) {
  if (!answer)
    return "No language model answers here, so these are the passages that one would read.";
  if (found === false) return "The wikis do not hold the answer.";
  const by = model ? ` · ${model}` : "";
  return `${count(sources.length, "source")} cited${invented > 0 ? `, ${count(invented, "citation")} not among the sources` : ""}${by}`;
}

/** The view. */
export function askView() {
  const requests = latest();
  let asked = null;
  const box = el("textarea", {
    id: "ask-q",
    rows: "2",
    spellcheck: "false",
    placeholder: "A question in words",
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    },
  });
  const button = el("button", { type: "submit", class: "main" }, "Ask");
  const stop = el(
    "button",
    {
      type: "button",
      hidden: true,
      onclick: () => {
        requests.stop();
        done("Stopped.");
      },
    },
    "Stop",
  );
  const form = el(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        asked = null;
        go({ q: box.value });
        ask(now());
      },
    },
    el("label", { for: "ask-q", class: "unseen" }, "Question"),
    box,
    el("p", { class: "row" }, button, stop),
  );
  const chips = el("div", {
    class: "chips",
    role: "group",
    "aria-label": "Filters",
  });
  const status = el("p", { class: "found", role: "status" });
  // While it is being written a screen reader waits, and then reads it as a whole.
  const answer = el("div", {
    class: "answer",
    "aria-live": "polite",
    "aria-label": "Answer",
    role: "region",
  });
  const section = (label) =>
    el("section", { class: "sources", "aria-label": label, hidden: true });
  const checked = section("What it cites");
  const context = section("What was read");
  const node = el(
    "div",
    { class: "view" },
    form,
    chips,
    status,
    answer,
    checked,
    context,
  );

  function done(text) {
    status.replaceChildren(text);
    stop.hidden = true;
    button.disabled = false;
    answer.removeAttribute("aria-busy");
  }

  function showContext(packed, title) {
    context.hidden = packed.blocks.length === 0;
    context.replaceChildren(
      ...contextNodes(packed, `${title} (${packed.blocks.length})`),
    );
  }

  async function read(state, signal) {
    let text = "";
    let packed = { blocks: [] };
    let frame = 0;
    const write = (whole) =>
      answer.replaceChildren(...answerNodes(whole, packed.blocks));
    const request = {
      question: question(state),
      rag: state.rag,
      wikis: state.wikis,
    };
    try {
      for await (const { event, data } of api.ask(request, signal)) {
        if (event === "context") {
          packed = data;
          showContext(packed, "Read for this answer");
          status.replaceChildren("Writing…");
        } else if (event === "piece") {
          text += data.text;
          // At most once a frame: pieces come faster than anybody reads.
          frame ||= requestAnimationFrame(() => {
            frame = 0;
            write(text);
          });
        } else if (event === "done") {
          finish(data, packed);
          return;
        }
      }
    } finally {
      cancelAnimationFrame(frame);
    }
    throw new api.Fault(0, { message: "the answer broke off" });
  }

  function finish(asked, packed) {
    answer.replaceChildren(
      ...(asked.answer ? answerNodes(asked.answer, packed.blocks) : []),
    );
    checked.replaceChildren(...checkedNodes(asked));
    checked.hidden = checked.childElementCount === 0;
    if (!asked.answer) showContext(packed, "The passages to read");
    done(verdict(asked));
  }

  async function ask(state) {
    const key = JSON.stringify([state.q, state.rag, state.wikis, state.tags]);
    if (key === asked) return;
    asked = key;
    requests.stop();
    answer.replaceChildren();
    checked.hidden = true;
    context.hidden = true;
    if (state.q.trim() === "") return done("");
    status.replaceChildren("Reading…");
    stop.hidden = false;
    button.disabled = true;
    answer.setAttribute("aria-busy", "true");
    try {
      await requests.run((signal) => read(state, signal));
    } catch (error) {
      done("");
      answer.replaceChildren(wrong(error));
    }
  }

  return {
    node,
    label: "Ask",
    show(state, cards) {
      if (box.value !== state.q) box.value = state.q;
      filters(chips, cards, state);
      // An answer may cost money: it is asked for when somebody presses the button, and an address asks for none by itself.
      const key = JSON.stringify([state.q, state.rag, state.wikis, state.tags]);
      if (asked !== null && key !== asked && state.q === "") ask(state);
    },
    focus: () => box.focus(),
  };
}
