// The program under test, over copies of the example wikis.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

function binary() {
  const path = process.env.WIKIRAG ?? join(root, "target/debug/wikirag");
  if (!existsSync(path))
    throw new Error(`${path} is not there: run \`cargo build\`, or name the program by the variable WIKIRAG`);
  return path;
}

/** The address that the program prints as soon as it listens. */
function address(child) {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (piece) => {
      said += piece;
      const url = /^(http:\S+)\n/u.exec(said)?.[1];
      if (url) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`the program ended with ${code} before it listened`)));
  });
}

/** Starts `wikirag serve`; gives `{ url, stop }`. PAGE_URL names a server that runs already and serves the examples. */
export async function program() {
  if (process.env.PAGE_URL) return { url: process.env.PAGE_URL.replace(/\/$/u, ""), stop: async () => {} };
  const home = mkdtempSync(join(tmpdir(), "wikirag-page-"));
  cpSync(join(root, "examples"), join(home, "examples"), {
    recursive: true,
    filter: (path) => !path.endsWith(".index"),
  });
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home };
  const rags = ["kitchen.rag.yaml", "public.rag.yaml"];
  const cwd = join(home, "examples");
  for (const rag of rags) {
    const built = spawnSync(binary(), ["build", rag], { cwd, env, encoding: "utf8" });
    if (built.status !== 0) throw new Error(built.stderr);
  }
  const child = spawn(binary(), ["serve", ...rags, "--port", "0"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  const url = await address(child);
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
