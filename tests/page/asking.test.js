// Answers in words.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { accessible } from "./support/browser.js";
import { suite } from "./support/suite.js";

const { open } = suite();

// A server that writes as slowly as a model: no interception can send an answer piece by piece.
let model, address;
let script = [];
before(async () => {
  model = createServer(async (request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "access-control-allow-origin": "*" });
    for (const step of script) {
      if (typeof step === "function") await step();
      else response.write(`event: ${step[0]}\ndata: ${JSON.stringify(step[1])}\n\n`);
    }
    response.end();
  });
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${model.address().port}/`;
});
after(() => model.close());

const BLOCKS = [
  {
    wiki: "house-rules",
    path: "fridge.md",
    title: "The fridge",
    headings: [],
    role: "curated",
    lines: [7, 22],
    cite: "[[house-rules/fridge]]",
    text: "# The fridge\n",
  },
  {
    wiki: "food",
    path: "notes (old).pdf",
    title: "Notes",
    headings: [],
    role: "raw",
    pages: [3, 3],
    cite: "(Source: food/notes (old).pdf, p. 3)",
    text: "Eggs <b>keep</b>.",
  },
];
const CONTEXT = ["context", { blocks: BLOCKS, budget: 2000, tokens: 120, left_out: 3, degraded: [], hints: [] }];

/** A tab in which a question was asked. */
async function ask(hash = "#/ask?rag=kitchen&q=where+do+eggs+go") {
  const tab = await open({
    hash,
    before: (page) => page.route("**/v1/ask", (route) => route.continue({ url: address })),
  });
  await tab.page.waitForSelector("#rag:enabled");
  // An answer may cost money: an address alone asks for none.
  assert.equal(await tab.page.locator(".answer").textContent(), "");
  await tab.page.locator("button.main").click();
  return tab;
}

test("an answer is seen while it is written, and its citations open what they cite", async () => {
  let release;
  const half = new Promise((resolve) => (release = resolve));
  const mark = " [not among the sources]";
  const pieces = [
    "On the **middle** shelf [[house-",
    "rules/fridge]], as noted (Source: food/notes (old).pdf, p. 3; fridge.md)",
    ` and [[Invented]]${mark}. <img src=x> [a](https://example.org/)`,
  ];
  const sources = BLOCKS.map((block) => ({ ...block, quote: { text: "the <i>middle</i> shelf", marks: [[7, 13]] } }));
  const claims = [
    { line: 1, text: "It is 5 °C.", verdict: "other-number", share: 0.8, cites: [], missing_numbers: ["5"] },
    { line: 1, text: "On the middle shelf.", verdict: "supported", share: 1, cites: [] },
  ];
  const done = { answer: pieces.join(""), found: true, sources, invented: 1, claims, degraded: [], hints: [] };
  const said = pieces.map((text) => ["piece", { text }]);
  script = [CONTEXT, said[0], () => half, ...said.slice(1), ["done", done]];
  const { page, faults, close } = await ask();
  await page.waitForFunction(() => document.querySelector(".answer").textContent.includes("middle shelf"));
  assert.equal(await page.locator(".answer").getAttribute("aria-busy"), "true");
  assert.equal(await page.locator(".sources > ol > li").count(), 2);
  assert.match(await page.locator(".sources:visible h2").textContent(), /120 of 2,000 tokens, 3 passages left out/u);
  release();
  await page.waitForFunction(() => !document.querySelector(".answer").hasAttribute("aria-busy"));
  assert.deepEqual(await page.locator(".citation").allTextContents(), [
    "[[house-rules/fridge]]",
    "food/notes (old).pdf, p. 3",
    "fridge.md",
  ]);
  assert.equal(await page.locator(".invented").textContent(), `[[Invented]]${mark}`);
  assert.equal(await page.locator(".found").textContent(), "2 sources cited, 1 citation not among the sources");
  assert.equal(await page.locator("main :is(img, script, i)").count(), 0);
  // Only citations are links.
  assert.equal(await page.locator(".answer a").count(), 3);
  assert.deepEqual(await page.locator(".quoted mark").allTextContents(), ["middle", "middle"]);
  assert.deepEqual(await page.locator(".doubts li").allTextContents(), [
    "It is 5 °C. its sources do not hold the number 5",
  ]);
  await accessible(page, "answer");
  await page.locator(".citation").first().click();
  await page.waitForSelector(".cited");
  assert.match(page.url(), /doc=house-rules%2Ffridge\.md%3A7-22/u);
  // The answer is still there.
  assert.equal(await page.locator(".citation").count(), 3);
  assert.deepEqual(faults, []);
  await close();
});

test("what is not there is not answered", async () => {
  const text = "It could not be found. Searched: food by bm25; 3 passages came near.";
  script = [
    CONTEXT,
    ["piece", { text }],
    ["done", { answer: text, found: false, sources: [], claims: [], invented: 0 }],
  ];
  const { page, faults, close } = await ask();
  await page.waitForFunction(() => /do not hold/u.test(document.querySelector(".found").textContent));
  assert.equal(await page.locator(".answer").textContent(), text);
  assert.deepEqual(faults, []);
  await close();
});

test("without a language model there is what it would have read", async () => {
  const hints = [{ code: "no-generator", text: "no language model is set; see `llm-api`" }];
  script = [
    CONTEXT,
    ["done", { answer: null, found: null, sources: [], claims: [], invented: 0, degraded: [], hints }],
  ];
  const { page, faults, close } = await ask();
  await page.waitForFunction(() => /No language model/u.test(document.querySelector(".found").textContent));
  await page.locator(".sources summary").nth(1).click();
  assert.equal(await page.locator(".sources pre").nth(1).textContent(), BLOCKS[1].text);
  await page.locator(".sources > ol > li > a").first().click();
  await page.waitForSelector(".cited");
  assert.deepEqual(faults, []);
  await close();
});

test("an answer can be stopped, and one that fails says so", async () => {
  script = [
    CONTEXT,
    ["piece", { text: "It is" }],
    () => new Promise((resolve) => setTimeout(resolve, 1500)),
    ["piece", { text: " over" }],
    ["done", {}],
  ];
  const { page, close } = await ask();
  await page.waitForFunction(() => document.querySelector(".answer").textContent.includes("It is"));
  await page.locator("button", { hasText: "Stop" }).click();
  await page.waitForTimeout(1800);
  assert.equal(await page.locator(".answer").textContent(), "It is");
  assert.equal(await page.locator(".found").textContent(), "Stopped.");
  script = [CONTEXT, ["error", { code: "unavailable", message: "the model does not answer" }]];
  await page.locator("button.main").click();
  await page.waitForSelector(".answer [role=alert]");
  assert.match(await page.locator(".answer").textContent(), /the model does not answer/u);
  // The server went away in the middle.
  script = [CONTEXT, ["piece", { text: "It was" }]];
  await page.locator("button.main").click();
  await page.waitForFunction(() => document.querySelector(".answer").textContent.includes("broke off"));
  await close();
});
