// Documents and graphs.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { found } from "./support/browser.js";
import { suite } from "./support/suite.js";

const { open } = suite();
const example = (path) => readFileSync(new URL(`../../examples/${path}`, import.meta.url), "utf8").split("\n");

test("a result opens at the lines that it cites", async () => {
  const { page, faults, close } = await open({ hash: "#/search?rag=kitchen&q=eggs+fridge" });
  await found(page);
  const title = page.locator("#results a.open").first();
  const cite = await page.locator("#results .cite").first().textContent();
  await title.click();
  await page.waitForSelector(".cited");
  const [, path, first, last] = /^(.*):(\d+)-(\d+)$/u.exec(cite);
  const lines = page.locator(".cited .line");
  assert.deepEqual(
    await lines.evaluateAll((all) => all.map((line) => Number(line.dataset.line))),
    Array.from({ length: last - first + 1 }, (_, place) => Number(first) + place),
  );
  // Words of the file, whatever became of its markup.
  const words = (text) => text.replaceAll(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/gu, "$1").match(/[\p{L}\p{N}]+/gu) ?? [];
  const file = example(path);
  for (const [number, text] of await page
    .locator(".lines .line")
    .evaluateAll((all) => all.map((line) => [Number(line.dataset.line), line.textContent]))) {
    assert.deepEqual(words(text), words(file[number - 1]), `line ${number}`);
  }
  assert.equal(await page.evaluate(() => document.activeElement.id), "reader-title");
  assert.ok(await page.locator(".cited").evaluate((cited) => cited.getBoundingClientRect().top < innerHeight - 50));
  await page.goBack();
  await page.waitForFunction(() => !document.body.classList.contains("reading"));
  await page.goForward();
  await page.waitForSelector(".cited");
  await page.locator(".shut").click();
  assert.equal(await page.locator(".cited").count(), 0);
  assert.deepEqual(faults, []);
  await close();
});

test("a long document is read in pieces, and its cited lines are in view", async () => {
  const asked = [];
  const { page, faults, close } = await open({
    hash: "#/search?rag=kitchen&doc=food/long.md:1000-1003",
    before: (tab) =>
      tab.route("**/v1/documents/food/long.md*", (route) => {
        const [first, last] = new URL(route.request().url()).searchParams.get("lines").split("-").map(Number);
        asked.push([first, last]);
        const lines = [first, Math.min(last, 1300)];
        const text = Array.from({ length: lines[1] - lines[0] + 1 }, (_, place) => `line ${lines[0] + place}\n`).join(
          "",
        );
        return route.fulfill({
          json: {
            wiki: "food",
            path: "long.md",
            title: "Long",
            sensitivity: "public",
            meta: {},
            lines,
            text,
            freshness: "stale",
          },
        });
      }),
  });
  await page.waitForSelector(".cited");
  const box = await page.locator(".reader-box").boundingBox();
  const cited = await page.locator(".cited").boundingBox();
  assert.ok(cited.y > box.y && cited.y + cited.height < box.y + box.height);
  const numbers = () =>
    page.locator(".lines .line").evaluateAll((all) => all.map((line) => [Number(line.dataset.line), line.textContent]));
  const sound = async () => {
    const all = await numbers();
    all.forEach(([number, text], place) => {
      assert.equal(text, `line ${number}`);
      assert.equal(number, all[0][0] + place);
    });
    return [all[0][0], all.at(-1)[0]];
  };
  const [from, to] = await sound();
  await page.locator(".more-lines").first().scrollIntoViewIfNeeded();
  const before = (await page.locator(".cited").boundingBox()).y;
  await page.locator(".more-lines").first().click();
  await page.waitForFunction((first) => Number(document.querySelector(".lines .line").dataset.line) < first, from);
  // What was read stays where it was.
  assert.ok(Math.abs((await page.locator(".cited").boundingBox()).y - before) < 2);
  await page.locator(".more-lines").last().click();
  await page.waitForFunction(
    (last) => Number([...document.querySelectorAll(".lines .line")].at(-1).dataset.line) > last,
    to,
  );
  assert.equal((await sound())[1], 1300);
  assert.match(await page.locator(".reader-head .badge.stale").textContent(), /changed/u);
  assert.ok(asked.every(([first, last]) => last - first < 400));
  assert.deepEqual(faults, []);
  await close();
});

test("what documents say stays text", async () => {
  const evil =
    "<img src=x onerror=alert(1)><script>alert(1)</script> [click](javascript:alert(1)) [[<b>x</b>]] ![p](https://example.org/p.png)\n";
  const json = {
    wiki: "food",
    path: "evil.md",
    title: "<script>alert(1)</script>",
    sensitivity: "public",
    meta: { tags: ["<b>t</b>"], "<i>": "<u>" },
    lines: [1, 1],
    text: evil,
    freshness: "fresh",
  };
  const { page, faults, close } = await open({
    hash: "#/search?rag=kitchen&doc=food/evil.md",
    before: (tab) => tab.route("**/v1/documents/food/evil.md*", (route) => route.fulfill({ json })),
  });
  await page.waitForSelector(".line");
  assert.equal(await page.locator("#reader :is(script, img, b, i, u)").count(), 0);
  assert.match(await page.locator(".line").textContent(), /<img src=x onerror=alert\(1\)><script>/u);
  assert.equal(await page.locator("#reader-title").textContent(), json.title);
  const links = await page.locator(".line a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.ok(
    links.every((href) => href.startsWith("#/") || href.startsWith("https://")),
    links.join(" "),
  );
  // No request went to the picture either.
  assert.deepEqual(faults, []);
  await close();
});

test("a link between pages opens the page that it means", async () => {
  const { page, faults, close } = await open({ hash: "#/search?rag=kitchen&doc=house-rules/fridge.md" });
  await page.locator(".wikilink", { hasText: "waste" }).click();
  await page.waitForFunction(() => document.getElementById("reader-title")?.textContent === "Waste");
  assert.match(page.url(), /doc=house-rules%2Fwaste\.md/u);
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("reader-title")?.textContent === "The fridge");
  assert.deepEqual(faults, []);
  await close();
});

test("a document that is not there is told", async () => {
  const { page, close } = await open({ hash: "#/search?rag=kitchen&doc=food/none.md:1-2" });
  await page.waitForSelector("#reader [role=alert]");
  await close();
});

test("one can walk over the graph by keys, and reads it as a list", async () => {
  const { page, faults, close } = await open({ hash: "#/search?rag=kitchen&graph=garden/herbs/growing-basil.md" });
  await page.waitForSelector(".node.this");
  const names = await page
    .locator(".node")
    .evaluateAll((all) => all.map((node) => node.getAttribute("aria-label").replace(/, .*/u, "")));
  const listed = await page.locator(".graph-lists li > a:first-child").allTextContents();
  for (const name of names.slice(1)) assert.ok(listed.includes(name), `${name} is in no list`);
  // One stop of the tab key for the whole map.
  assert.equal(await page.locator(".node[tabindex='0']").count(), 1);
  await page.locator(".node.this").focus();
  await page.keyboard.press("ArrowRight");
  const next = await page.evaluate(() => document.activeElement.dataset.id);
  assert.notEqual(next, "herbs/growing-basil.md");
  await page.keyboard.press("Enter");
  await page.waitForFunction((id) => document.querySelector(".node.this")?.dataset.id === id, next);
  await page.waitForFunction((id) => document.activeElement.dataset.id === id, next);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".node.this")?.dataset.id === "herbs/growing-basil.md");
  await page.locator(".acts a", { hasText: "Two steps" }).click();
  await page.waitForFunction((few) => document.querySelectorAll(".node").length > few, names.length);
  assert.deepEqual(faults, []);
  await close();
});
