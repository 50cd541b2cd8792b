// One program and one browser for a file of tests.

import { after } from "node:test";
import { browser, tab } from "./browser.js";
import { program } from "./program.js";

/** Call it once, at the top: `open(options)` gives a tab. All end with the file. */
export function suite() {
  let started;
  const start = () => (started ??= Promise.all([program(), browser()]));
  after(async () => {
    const [server, running] = (await started?.catch(() => [])) ?? [];
    await running?.close();
    await server?.stop();
  });
  return {
    async open(options) {
      const [server, running] = await start();
      return { url: server.url, ...(await tab(running, server.url, options)) };
    },
  };
}
