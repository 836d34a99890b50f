// The demo as a visitor gets it: its server on a fresh file, and Chromium.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright";
import { launchOptions } from "../../../tools/browser.mjs";
import { startProgram } from "../../../tools/program.ts";
import { root } from "../harness/bundler.ts";

export const REACT = "the board in React";
export const SVELTE = "the board in Svelte";
export const START = "the start page";

/** Needs the builds. */
export async function withDemo<T>(use: (browser: Browser, url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "opstate-benchmark-"));
  const demo = startProgram(process.execPath, ["apps/demo/src/main.ts"], {
    cwd: fileURLToPath(root),
    env: { ...process.env, PORT: "0", OPSTATE_DATA: join(folder, "demo.sqlite"), OPSTATE_MODEL: "" },
  });
  try {
    const [url] = await demo.printed(/http:\/\/127\.0\.0\.1:\d+/);
    const browser = await chromium.launch(launchOptions());
    try {
      return await use(browser, url);
    } finally {
      await browser.close();
    }
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
