// Searching as one types.

import assert from "node:assert/strict";
import { test } from "node:test";
import { found } from "./support/browser.js";
import { suite } from "./support/suite.js";

const { open } = suite();
const KITCHEN = "#/search?rag=kitchen";
const titles = (page) => page.locator("#results a.open").allTextContents();
const asked = (page) => new URL(page.url()).hash;

test("words that are typed are answered, marked and cited", async () => {
  const { page, faults, close } = await open({ hash: KITCHEN });
  await page.locator("#q").pressSequentially("eggs fridge");
  await page.waitForFunction(() => location.hash.includes("fridge"));
  await found(page);
  assert.equal((await titles(page))[0], "The fridge");
  const first = page.locator("#results > li").first();
  assert.ok((await first.locator("mark").allTextContents()).some((word) => /eggs|fridge/iu.test(word)));
  assert.match(await first.locator(".cite").textContent(), /^house-rules\/fridge\.md:\d+-\d+$/u);
  assert.deepEqual(await first.locator(".badge").allTextContents(), ["curated", "internal"]);
  assert.deepEqual(faults, []);
  await close();
});

test("an answer that comes late is not shown over a newer one", async () => {
  const { page, close } = await open({
    hash: KITCHEN,
    before: (tab) =>
      tab.route("**/v1/query", async (route) => {
        if (route.request().postDataJSON().question === "basil")
          await new Promise((resolve) => setTimeout(resolve, 600));
        await route.continue().catch(() => {}); // It may be given up by then.
      }),
  });
  await page.locator("#q").fill("basil");
  await page.waitForFunction(() => location.hash.includes("basil"));
  await page.locator("#q").fill("eggs fridge");
  await found(page);
  const before = await titles(page);
  await page.waitForTimeout(900);
  assert.deepEqual(await titles(page), before);
  assert.equal(before[0], "The fridge");
  await close();
});

test("the address is the question, and back leads to the one before", async () => {
  const { page, faults, close } = await open({ hash: `${KITCHEN}&q=basil` });
  await found(page);
  assert.equal(await page.locator("#q").inputValue(), "basil");
  const first = await titles(page);
  await page.locator("#q").fill("eggs");
  await page.locator("#q").press("Enter");
  await page.locator("#q").fill("compost");
  await page.waitForFunction(() => location.hash.includes("compost"));
  await page.goBack();
  assert.match(asked(page), /q=eggs/u);
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("q").value === "basil");
  await found(page);
  await page.waitForFunction((title) => document.querySelector("#results a.open")?.textContent === title, first[0]);
  assert.deepEqual(await titles(page), first);
  assert.deepEqual(faults, []);
  await close();
});

test("why a result stands there: the numbers add up", async () => {
  const { page, close } = await open({ hash: `${KITCHEN}&q=how+long+may+eggs+stay+in+the+fridge` });
  await found(page);
  for (const place of [0, 1, 2]) {
    const item = page.locator("#results > li").nth(place);
    const button = item.locator("[data-why]");
    assert.equal(await button.getAttribute("aria-expanded"), "false");
    await button.click();
    assert.equal(await button.getAttribute("aria-expanded"), "true");
    const values = async (kind) => (await item.locator(`.why tr.${kind} .value`).allTextContents()).map(Number);
    const [layers, [inside, fused], factors, [score]] = [
      await values("layer"),
      await values("sum"),
      [...(await values("factor")), ...(await values("less"))],
      await values("total"),
    ];
    const near = (one, other) =>
      assert.ok(Math.abs(one - other) < 1e-3 * Math.max(1, Math.abs(other)), `${one} is not ${other}`);
    assert.ok(layers.length > 0);
    near(
      layers.reduce((sum, value) => sum + value),
      inside,
    );
    near(
      factors.reduce((product, value) => product * value, fused),
      score,
    );
    // The longest bar is that of the largest layer.
    const bars = await item
      .locator(".why tr.layer .bar-fill")
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
    assert.equal(bars.indexOf(Math.max(...bars)), layers.indexOf(Math.max(...layers)));
  }
  await close();
});

test("filters by wiki and tag", async () => {
  const sent = [];
  const { page, faults, close } = await open({
    hash: `${KITCHEN}&q=basil`,
    before: async (tab) => {
      tab.on("request", (request) => {
        if (request.url().endsWith("/v1/query")) sent.push(request.postDataJSON());
      });
    },
  });
  await found(page);
  await page.locator("[data-wiki=garden]").click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("#results .cite")].every((cite) => cite.textContent.startsWith("garden/")),
  );
  assert.deepEqual(sent.at(-1).wikis, ["garden"]);
  assert.equal(await page.locator("[data-wiki=garden]").getAttribute("aria-pressed"), "true");
  // The row is made anew; the focus stays.
  assert.equal(await page.evaluate(() => document.activeElement.dataset.wiki), "garden");
  await page.locator("[data-wiki=garden]").click();
  await page.locator(".new-tag").fill("#herbs");
  await page.locator(".new-tag").press("Enter");
  await page.waitForFunction(() => location.hash.includes("tag=herbs"));
  await found(page);
  assert.equal(sent.at(-1).question, "basil tag:herbs");
  assert.equal(sent.at(-1).wikis, undefined);
  await page.locator(".chip.tag:not(.new-tag)").click();
  await page.waitForFunction(() => !location.hash.includes("tag="));
  assert.deepEqual(faults, []);
  await close();
});

test("each composition is asked by its name", async () => {
  const { page, faults, close } = await open();
  assert.deepEqual(
    await page
      .locator("#rag option")
      .allTextContents()
      .then(async (all) =>
        all.length > 1
          ? all
          : (await page.waitForSelector("#rag:enabled"), page.locator("#rag option").allTextContents()),
      ),
    ["kitchen", "public"],
  );
  await page.locator("#rag").selectOption("public");
  await page.locator("#q").fill("eggs fridge");
  await page.waitForFunction(() => location.hash.includes("fridge"));
  await found(page);
  assert.match(asked(page), /rag=public/u);
  assert.ok(!(await page.locator("#results .cite").allTextContents()).some((cite) => cite.startsWith("house-rules/")));
  assert.deepEqual(faults, []);
  await close();
});

test("the keyboard leads everywhere", async () => {
  const { page, faults, close } = await open({ hash: `${KITCHEN}&q=basil` });
  await found(page);
  const focused = () =>
    page.evaluate(
      () => document.activeElement.id || document.activeElement.className || document.activeElement.textContent,
    );
  await page.locator("#q").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(
    await page.evaluate(() => [...document.querySelectorAll("#results a.open")].indexOf(document.activeElement)),
    1,
  );
  await page.keyboard.press("w");
  assert.equal(await page.locator("#results > li").nth(1).locator(".why").count(), 1);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.id === "reader-title");
  await page.keyboard.press("Escape");
  assert.equal(
    await page.evaluate(() => [...document.querySelectorAll("#results a.open")].indexOf(document.activeElement)),
    1,
  );
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "q");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("g");
  await page.waitForSelector(".map svg");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  assert.equal(await focused(), "q");
  // In a box they are letters.
  await page.keyboard.type("?");
  assert.equal(await page.locator("#help").getAttribute("open"), null);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("?");
  assert.equal(await page.locator("#help").getAttribute("open"), "");
  await page.locator("#single-keys").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  assert.equal(await page.locator("#help").getAttribute("open"), null);
  assert.deepEqual(faults, []);
  await close();
});
