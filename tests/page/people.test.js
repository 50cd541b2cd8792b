// For everybody: small screens, dark rooms, screen readers, slow lines, and servers that ask who one is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, found } from "./support/browser.js";
import { suite } from "./support/suite.js";

const { open } = suite();

const VIEWS = {
  search: [
    "#/search?rag=kitchen&q=how+long+may+eggs+stay",
    async (page) => {
      await found(page);
      await page.locator("[data-why]").first().click();
    },
  ],
  nothing: ["#/search?rag=kitchen&q=%22zzzz+yyyy%22", found],
  document: ["#/search?rag=kitchen&q=eggs&doc=house-rules/fridge.md:7-22", (page) => page.waitForSelector(".cited")],
  graph: [
    "#/search?rag=kitchen&q=basil&graph=garden/herbs/growing-basil.md",
    (page) => page.waitForSelector(".map svg"),
  ],
  ask: ["#/ask?rag=kitchen&q=eggs", (page) => page.waitForSelector("#ask-q")],
  wikis: ["#/wikis", (page) => page.waitForSelector(".card")],
  help: ["#/search?rag=kitchen", (page) => page.locator("#keys").click()],
};

for (const [name, [hash, ready]] of Object.entries(VIEWS)) {
  test(`${name}: nothing serious for axe, in light and dark, wide and narrow`, async () => {
    for (const colorScheme of ["light", "dark"]) {
      for (const [wide, high] of [
        [1280, 800],
        [360, 740],
      ]) {
        const { page, faults, close } = await open({ hash, colorScheme, wide, high, touch: wide < 400 });
        await ready(page);
        await accessible(page, `${name}, ${colorScheme}, ${wide}`);
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${name} is wider than ${wide}`,
        );
        assert.deepEqual(faults, []);
        await close();
      }
    }
  });
}

test("the page is small, comes from one place, and does not jump", async () => {
  const { page, url, faults, close } = await open({
    hash: "#/search?rag=kitchen&q=eggs+fridge",
    before: (tab) =>
      tab.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) globalThis.shift += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
      }),
  });
  await found(page);
  await page.waitForTimeout(300);
  const files = await page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(
      ({ name, transferSize }) => [name, transferSize],
    ),
  );
  assert.ok(files.every(([name]) => name.startsWith(url)));
  const total = files.filter(([name]) => !name.includes("/v1/")).reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total > 0 && total < 300_000, `${total} bytes`);
  assert.ok((await page.evaluate(() => globalThis.shift)) < 0.02);
  assert.deepEqual(faults, []);
  await close();
});

test("on a phone the reader takes the screen and gives it back", async () => {
  const { page, close } = await open({ hash: "#/search?rag=kitchen&q=eggs+fridge", wide: 360, high: 740 });
  await found(page);
  await page.locator("#results a.open").first().click();
  await page.waitForSelector(".cited");
  assert.ok(!(await page.locator("#q").isVisible()));
  await page.goBack();
  await page.waitForFunction(() => !document.body.classList.contains("reading"));
  assert.ok(await page.locator("#q").isVisible());
  await close();
});

test("colours are those of the system until somebody chooses, and that holds", async () => {
  const { page, close } = await open({ colorScheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.locator("#theme").click();
  const light = await paper();
  assert.notEqual(light, dark);
  await page.reload();
  assert.equal(await paper(), light);
  assert.match(await page.locator("#theme").getAttribute("aria-label"), /light/u);
  await close();
});

test("who wants less motion gets none", async () => {
  const { page, close } = await open({ reducedMotion: "reduce", hash: "#/wikis" });
  await page.waitForSelector(".card");
  assert.ok(
    await page.evaluate(() =>
      [...document.querySelectorAll("*")].every(
        (node) =>
          parseFloat(getComputedStyle(node).transitionDuration) === 0 &&
          getComputedStyle(node).animationName === "none",
      ),
    ),
  );
  await close();
});

test("a server that asks for a token gets the one of this tab, and no address has it", async () => {
  const seen = [];
  const { page, close } = await open({
    hash: "#/search?rag=kitchen&q=eggs",
    before: (tab) =>
      tab.route("**/v1/**", (route) => {
        const given = route.request().headers().authorization;
        seen.push(given);
        const known = given === "Bearer right";
        return known
          ? route.continue()
          : route.fulfill({ status: 401, json: { error: { code: "unauthorized", message: "a token is needed" } } });
      }),
  });
  await page.locator("#token-value").fill("wrong");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#token [role=alert]");
  await page.locator("#token-value").fill("right");
  await page.keyboard.press("Enter");
  await found(page);
  assert.ok((await page.locator("#results > li").count()) > 0);
  assert.ok(!page.url().includes("right"));
  assert.deepEqual(
    await page.evaluate(() => [Object.keys(sessionStorage), Object.values(localStorage).includes("right")]),
    [["wikirag.token"], false],
  );
  assert.deepEqual([...new Set(seen)], [undefined, "Bearer wrong", "Bearer right"]);
  await page.reload();
  await found(page);
  await close();
});

test("a server that is gone is told, and asked again", async () => {
  let gone = false;
  const { page, close } = await open({
    hash: "#/search?rag=kitchen",
    before: (tab) => tab.route("**/v1/query", (route) => (gone ? route.abort() : route.continue())),
  });
  await page.waitForSelector("#rag:enabled");
  gone = true;
  await page.locator("#q").fill("eggs");
  await page.waitForSelector(".notes [role=alert]");
  gone = false;
  await page.locator("#q").press("Enter");
  await found(page);
  assert.equal(await page.locator(".notes [role=alert]").count(), 0);
  await close();
});

test("gaps: topics with what was asked, or that nothing was", async () => {
  const json = {
    rag: "kitchen",
    questions: 3,
    total: 1,
    filled: [],
    degraded: [],
    hints: [],
    topics: [
      {
        label: "freezing <b>bread</b>",
        asked: 3,
        strength: 0.21,
        nearest: null,
        questions: [{ question: "can I freeze bread", asked: 3, last: "2026-01-01T00:00:00Z", strength: 0.21 }],
      },
    ],
  };
  const { page, faults, close } = await open({
    hash: "#/gaps?rag=kitchen",
    before: (tab) => tab.route("**/v1/gaps*", (route) => route.fulfill({ json })),
  });
  await page.waitForSelector(".card");
  assert.equal(await page.locator(".card h3").textContent(), json.topics[0].label);
  await accessible(page, "gaps");
  assert.deepEqual(faults, []);
  await page.locator(".card li a").click();
  assert.match(page.url(), /#\/search\?.*q=can\+I\+freeze\+bread/u);
  await close();
  const none = await open({
    hash: "#/gaps?rag=kitchen",
    before: (tab) =>
      tab.route("**/v1/gaps*", (route) =>
        route.fulfill({ status: 404, json: { error: { code: "not-found", message: "nothing was logged" } } }),
      ),
  });
  await none.page.waitForFunction(() => /No questions/u.test(document.querySelector(".found")?.textContent));
  await none.close();
});
