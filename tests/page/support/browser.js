// A browser of the system. None is downloaded.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Starts it. */
export function browser() {
  const executablePath = process.env.CHROMIUM ?? PLACES.find(existsSync);
  if (!executablePath) throw new Error("there is no Chromium: install it, or name it by the variable CHROMIUM");
  // It looks for updates otherwise; and root has no sandbox.
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, args });
}

/** A tab of its own; `faults` are what the console complained of, uncaught errors, and requests to other servers. */
export async function tab(
  running,
  url,
  { hash = "", wide = 1280, high = 800, touch = false, before, ...options } = {},
) {
  const context = await running.newContext({ viewport: { width: wide, height: high }, hasTouch: touch, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) faults.push(`request to ${request.url()}`);
  });
  await before?.(page);
  await page.goto(`${url}/${hash}`);
  return { page, faults, close: () => context.close() };
}

/** Waits until the search has answered. */
export async function found(page) {
  await page.waitForFunction(
    () =>
      /\d|Nothing/u.test(document.getElementById("found")?.textContent ?? "") &&
      !document.querySelector("#results[aria-busy]"),
  );
}

/** Fails where axe-core finds anything that is serious. */
export async function accessible(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const bad = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    bad.map(({ id, nodes }) => `${where}: ${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`),
    [],
  );
  return violations.map(({ id, impact }) => `${impact} ${id}`);
}
