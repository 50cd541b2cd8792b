// The parts that only compute, as the browser runs them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { suite } from "./support/suite.js";

const { open } = suite();
let opened;
const sheet = async () => (await (opened ??= open())).page;

/** Calls `exported` of a module of the page. */
const call = async (module, exported, ...args) =>
  (await sheet()).evaluate(
    async ([from, name, given]) => (await import(`/page/${from}`))[name](...given),
    [module, exported, args],
  );

test("marks count bytes of UTF-8, and no text is lost whatever they are", async () => {
  const text = "Käse 🧀 über alles, 牛乳";
  const cut = await call("marks.js", "parts", text, [
    [0, 5],
    [6, 10],
    [24, 27],
  ]);
  assert.deepEqual(
    cut.filter((part) => part.marked).map((part) => part.text),
    ["Käse", "🧀", "牛"],
  );
  // Cut characters, backwards, overlapping, out of range.
  for (const marks of [
    [
      [1, 2],
      [2, 3],
    ],
    [[9, 3]],
    [
      [0, 9],
      [4, 12],
    ],
    [[-5, 400]],
    [[7, 8]],
    [],
  ]) {
    const parts = await call("marks.js", "parts", text, marks);
    assert.equal(parts.map((part) => part.text).join(""), text, JSON.stringify(marks));
  }
});

test("an address says where one is, and is understood again", async () => {
  const states = [
    {
      view: "search",
      rag: "",
      q: 'a & b=c #1 "two words" 牛乳',
      doc: "",
      graph: "",
      depth: "",
      open: "",
      wikis: ["food", "garden"],
      tags: ["a/b"],
    },
    {
      view: "ask",
      rag: "kitchen",
      q: "",
      doc: "food/a b (1)#x.md:1-2",
      graph: "",
      depth: "",
      open: "",
      wikis: [],
      tags: [],
    },
  ];
  for (const state of states)
    assert.deepEqual(await call("state.js", "read", await call("state.js", "write", state)), state);
  for (const hash of ["", "#", "#/", "#/none?x=1", "#q=%%%", "#/search?q=%ff"]) {
    assert.equal((await call("state.js", "read", hash)).view, "search", hash);
  }
});

test("citations are written as the engine reads them", async () => {
  for (const text of [
    "food/a.md",
    "food/a.md:7",
    "food/b/c d.md:7-9",
    "food/x.pdf#page=3",
    "food/x.pdf#page=3-4",
    "food/odd:name.md",
  ]) {
    assert.equal(await call("citation.js", "cite", await call("citation.js", "parse", text)), text);
  }
});

test("events are the same however the stream is cut", async () => {
  const text =
    ': hello\r\n\r\nevent: piece\r\ndata: {"text": "ä"}\r\n\r\ndata: one\ndata:two\n\nevent: done\rdata: {}\r\rdata: never ended';
  const page = await sheet();
  const read = (sizes) =>
    page.evaluate(
      async ([whole, by]) => {
        const { events } = await import("/page/sse.js");
        const bytes = new TextEncoder().encode(whole);
        const body = new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes.length; at += by) controller.enqueue(bytes.slice(at, at + by));
            controller.close();
          },
        });
        const all = [];
        for await (const event of events(body)) all.push([event.event, event.data]);
        return all;
      },
      [text, sizes],
    );
  for (const size of [1, 2, 3, 5, 7, 1000]) {
    assert.deepEqual(
      await read(size),
      [
        ["piece", '{"text": "ä"}'],
        ["message", "one\ntwo"],
        ["done", "{}"],
      ],
      `pieces of ${size}`,
    );
  }
});

test("an older request never answers after a newer one", async () => {
  const answers = await (
    await sheet()
  ).evaluate(async () => {
    const { latest } = await import("/page/latest.js");
    const requests = latest();
    // The first does not even listen to its signal, and ends last.
    const ask = (name, wait) => requests.run(() => new Promise((resolve) => setTimeout(() => resolve(name), wait)));
    return Promise.all([ask("old", 60), ask("older", 5), ask("new", 20)]);
  });
  assert.deepEqual(
    answers,
    [null, null, "new"].map((one) => one ?? undefined),
  );
});

test("a graph is drawn the same each time, and no two pages stand on one place", async () => {
  const nodes = [
    { id: "c", distance: 0 },
    ...["a", "b", "d"].map((id) => ({ id, distance: 1 })),
    { id: "e", distance: 2 },
  ].map((node) => ({ degree: 1, ...node }));
  const edges = [
    ["c", "a"],
    ["b", "c"],
    ["c", "d"],
    ["d", "c"],
    ["e", "b"],
    ["a", "d"],
    ["c", "c"],
  ].map(([from, to]) => ({ from, to }));
  const page = await sheet();
  const lay = (room) =>
    page.evaluate(
      async ([graph, width]) => {
        const { layout, step } = await import("/page/layout.js");
        const { places } = layout(graph, width);
        const walk = (from, ...keys) => keys.reduce((at, key) => step(places, at, `Arrow${key}`) ?? at, from);
        return {
          places: [...places],
          walks: [
            walk("c", "Right"),
            walk("c", "Left"),
            walk("c", "Left", "Left"),
            walk("c", "Left", "Right"),
            walk("a", "Down"),
            walk("c", "Down"),
          ],
        };
      },
      [{ nodes, edges }, room],
    );
  for (const room of [300, 900]) {
    const first = await lay(room);
    assert.deepEqual(await lay(room), first);
    assert.equal(first.places.length, nodes.length);
    assert.equal(new Set(first.places.map(([, { x, y }]) => `${x} ${y}`)).size, nodes.length);
  }
  const { walks } = await lay(900);
  assert.deepEqual(walks, ["a", "b", "e", "c", "d", "c"]);
});

test("links of documents lead to documents, to the web, or nowhere", async () => {
  const at = { wiki: "food", path: "a/b.md" };
  const doc = (to) => new URLSearchParams(to?.split("?")[1]).get("doc");
  assert.equal(doc(await call("markdown.js", "target", "../c%20d.md#x", at)), "food/c d.md");
  assert.equal(doc(await call("markdown.js", "target", "../../../../etc/passwd", at)), "food/etc/passwd");
  assert.equal(await call("markdown.js", "target", "https://example.org/", at), "https://example.org/");
  for (const href of [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "//example.org/x",
    "#here",
    "%ff.md",
    "file:///etc/passwd",
  ]) {
    assert.equal(await call("markdown.js", "target", href, at), undefined, href);
  }
});

test("hostile lines take no longer than their length allows", async () => {
  const lines = [
    "[".repeat(4000),
    "*".repeat(4000),
    "`".repeat(3999),
    "[a](".repeat(1000),
    "**a".repeat(1300),
    "![[".repeat(1300),
    "https://".repeat(500),
    "(Source: ".repeat(400),
  ];
  const kept = await (
    await sheet()
  ).evaluate(async (all) => {
    const { renderer } = await import("/page/markdown.js");
    const { answerNodes } = await import("/page/answer.js");
    const text = (nodes) => nodes.map((node) => node.textContent ?? node).join("").length;
    return all.map((line) => [
      text(renderer({ wiki: "w", path: "p" }, 2).next(line).nodes),
      text(answerNodes(line, [])),
    ]);
  }, lines);
  for (const [rendered, answered] of kept) assert.ok(rendered > 0 && answered > 0);
});
