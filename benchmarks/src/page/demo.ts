// The demo as a visitor gets it: its server on a fresh file, and Chromium.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright";
import { launchOptions } from "../../../tools/browser.mjs";
import { freePort } from "../../../tools/free-port.ts";
import { root } from "../harness/bundler.ts";

export const REACT = "the board in React";
export const SVELTE = "the board in Svelte";
export const START = "the start page";

/** Needs the builds. */
export async function withDemo<T>(use: (browser: Browser, url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "opstate-benchmark-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const demo = spawn(process.execPath, [fileURLToPath(new URL("apps/demo/src/main.ts", root))], {
    env: { ...process.env, PORT: String(port), OPSTATE_DATA: join(folder, "demo.sqlite"), OPSTATE_MODEL: "" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  try {
    await isUp(demo, url);
    const browser = await chromium.launch(launchOptions());
    try {
      return await use(browser, url);
    } finally {
      await browser.close();
    }
  } finally {
    demo.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isUp(demo: ChildProcess, url: string): Promise<void> {
  while ((await fetch(`${url}/api/info`).catch(() => undefined))?.ok !== true) {
    if (demo.exitCode !== null) throw new Error("The demo did not start.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
