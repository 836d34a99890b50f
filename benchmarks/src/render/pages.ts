// A browser with one page for each candidate: the same script, bundled as a page's is.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright";
import { launchOptions } from "../../../tools/browser.mjs";
import { bundler } from "../harness/bundler.ts";
import type { RoundResult } from "./rounds.ts";
import { svelteCompiler } from "./svelte/compiler.ts";

/** What `@opstate/core` is bundled as. */
export type Build = "full" | "page";

export interface Candidate {
  readonly store: string;
  readonly build: Build;
  /** Default: React. */
  readonly framework?: "svelte";
}

export interface Pages {
  round(candidate: number, edits: number): Promise<RoundResult>;
  close(): Promise<void>;
}

const HTML = `<!doctype html><title>render</title><div id="root"></div><script type="module" src="page.js"></script>`;

/** Isolated from other origins a page has a clock of 5 µs; else of 100. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

export async function openPages(candidates: readonly Candidate[]): Promise<Pages> {
  const scripts: Readonly<Record<string, string>> = {
    "/react/full/page.js": await bundle("page.tsx", []),
    "/react/page/page.js": await bundle("page.tsx", ["opstate-page"]),
    "/svelte/full/page.js": await bundle("svelte/page.ts", []),
    "/svelte/page/page.js": await bundle("svelte/page.ts", ["opstate-page"]),
  };
  const server = createServer((request, response) => {
    const script = scripts[request.url ?? ""];
    response.writeHead(200, { ...ISOLATED, "content-type": script === undefined ? "text/html" : "text/javascript" });
    response.end(script ?? HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await chromium.launch(launchOptions());
  const close = async (): Promise<void> => {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    const pages: Page[] = [];
    for (const { store, build, framework = "react" } of candidates) {
      // A context of its own has a process of its own.
      const page = await (await browser.newContext()).newPage();
      page.on("pageerror", (error) => console.error(`${store}:`, error));
      await page.goto(`${url}/${framework}/${build}/?store=${store}`);
      await page.evaluate(() => globalThis.isMounted);
      pages.push(page);
    }
    return {
      async round(candidate, edits) {
        const page = pages[candidate];
        if (page === undefined) throw new Error(`there is no candidate ${candidate}`);
        await page.bringToFront();
        return page.evaluate((count) => globalThis.round(count), edits);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bundle(entry: string, conditions: readonly string[]): Promise<string> {
  const { outputFiles } = await bundler.build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    jsx: "automatic",
    write: false,
    metafile: true,
    conditions: [...conditions, "module"],
    external: [],
    plugins: [svelteCompiler],
    define: { "process.env.NODE_ENV": `"production"` },
  });
  return outputFiles[0]?.text ?? "";
}
