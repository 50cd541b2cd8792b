// How fast the page is: first paint, bytes, and the time from a key to the results. Figures, not a test: they depend on the machine.
//
// node measure.js URL [RAG] [QUESTION...]

import { browser, tab } from "./support/browser.js";

const [url, rag = "", ...given] = process.argv.slice(2);
if (!url) throw new Error("say where the server is: node measure.js URL [RAG] [QUESTION...]");
const questions =
  given.length > 0 ? given : ["how do I sync notes between devices", "graph view plugin", "daily notes template"];
const round = (number) => Math.round(number * 10) / 10;
const middle = (all, part) =>
  [...all].sort((one, other) => one - other)[Math.min(all.length - 1, Math.floor(all.length * part))];
const hash = `#/search${rag && `?rag=${rag}`}`;

const running = await browser();
const paints = [];
let bytes;
for (let run = 0; run < 10; run += 1) {
  const { page, close } = await tab(running, url, { hash });
  await page.waitForSelector("#rag option[value]", { state: "attached" });
  const [paint, files] = await page.evaluate(() => [
    performance.getEntriesByName("first-contentful-paint")[0].startTime,
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .filter(({ name }) => !name.includes("/v1/"))
      .map(({ transferSize }) => transferSize),
  ]);
  paints.push(paint);
  bytes = files.reduce((sum, size) => sum + size);
  await close();
}
console.log(
  `first contentful paint, ms: median ${round(middle(paints, 0.5))}, worst of 10 ${round(Math.max(...paints))}`,
);
console.log(`transfer of the page, bytes: ${bytes}`);

const { page } = await tab(running, url, { hash });
await page.waitForSelector("#rag option[value]", { state: "attached" });
// What the server says that it took, answer by answer.
const served = [];
page.on("response", async (response) => {
  // Answers that were overtaken have no body to read.
  const answer = response.url().endsWith("/v1/query") && (await response.json().catch(() => null));
  if (answer) served.push(answer.took_ms);
});
// From the event of the key to the frame after the results changed, for each letter; a letter waits for its answer.
const times = await page.evaluate(async (all) => {
  const box = document.getElementById("q");
  const found = document.getElementById("found");
  const one = (text) =>
    new Promise((resolve) => {
      const begin = performance.now();
      const watch = new MutationObserver(() => {
        watch.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - begin));
      });
      watch.observe(found, { childList: true });
      box.value = text;
      box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
  const took = [];
  for (const question of all) {
    for (let letters = 1; letters <= question.length; letters += 1) took.push(await one(question.slice(0, letters)));
  }
  return took;
}, questions);
const told = (all) =>
  `median ${round(middle(all, 0.5))}, p95 ${round(middle(all, 0.95))}, worst ${round(Math.max(...all))}`;
console.log(`key to results, ms, ${times.length} keys: ${told(times)}`);
console.log(`of that in the engine, ms: ${told(served)}`);
await running.close();
