// What was counted stays counted: a server is killed, and one whose code counts otherwise goes on
// with its file.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { launchOptions } from "../../../../../tools/browser.mjs";
import { send, type Answer } from "../../support/server.ts";
import { ServerProcess } from "../../support/processes/server-process.ts";
import { bundlePage } from "../../support/pages/bundle-page.ts";
import type { Store } from "../../support/store.ts";
import type { CounterPage } from "./page.ts";

declare global {
  var counterPage: CounterPage;
}

const INCS = ["i1", "i2", "i3", "i4", "i5"];

interface Counter {
  readonly process: ServerProcess;
  post(path: string, body: unknown): Promise<Answer>;
  /** What a page that loads the thread gets. */
  state(): Promise<unknown>;
}

const folder = mkdtempSync(join(tmpdir(), "opstate-code-"));
const script = join(folder, "page.js");
let browser: Browser;

beforeAll(async () => {
  writeFileSync(script, await bundlePage(join(import.meta.dirname, "page.ts"), ["opstate-page"]));
  browser = await chromium.launch(launchOptions());
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function startCounter(store: Store, by: number): Promise<Counter> {
  const process = new ServerProcess(store, {
    runs: [join(import.meta.dirname, "../../support/pages/counting-server.ts"), String(by), script],
  });
  onTestFinished(() => process.kill());
  await process.start();
  const url = `${process.url}/api/threads/t`;
  return {
    process,
    post: (path, body) => send(`${url}${path}`, "POST", body, {}),
    state: async () => (await send(url, "GET", undefined, {})).body.state,
  };
}

/** A title and five times one more, by a process that is killed; then a process that adds 100. */
async function changed(): Promise<Counter> {
  const store: Store = { kind: "sqlite", path: join(folder, `${randomUUID()}.sqlite`) };
  const first = await startCounter(store, 1);
  await send(`${first.process.url}/api/threads/t`, "PUT", { definition: "counter" }, {});
  await first.post("/operations", { id: "title", operation: { type: "title", text: "mine" } });
  for (const id of INCS)
    expect(await first.post("/operations", { id, operation: { type: "inc" } })).toMatchObject({
      body: { accepted: true },
    });
  await first.process.kill();
  return startCounter(store, 100);
}

describe("a server whose code counts otherwise than the one before it", { timeout: 240_000 }, () => {
  it("does not count again when the title is undone", async () => {
    const { process, post, state } = await changed();
    expect(await state()).toEqual({ title: "mine", n: 5 });
    expect(await post("/undo", { target: { ids: ["title"] } })).toMatchObject({ body: { accepted: true } });
    expect(await state()).toEqual({ title: "untitled", n: 5 });
    await process.kill();
    await process.start();
    expect(await state()).toEqual({ title: "untitled", n: 5 });
  });

  it("names what it would count otherwise, and changes nothing", async () => {
    const { post, state } = await changed();
    expect(await post("/undo", { target: { ids: ["i1"] } })).toMatchObject({
      body: { accepted: false, rejection: { reason: "dependents", details: { dependents: INCS.slice(1) } } },
    });
    expect(await state()).toEqual({ title: "mine", n: 5 });
  });

  it("counts what is new as it counts, and undoes that", async () => {
    const { post, state } = await changed();
    await post("/operations", { id: "i6", operation: { type: "inc" } });
    expect(await state()).toEqual({ title: "mine", n: 105 });
    await post("/undo", { target: { ids: ["i6"] } });
    expect(await state()).toEqual({ title: "mine", n: 5 });
  });

  it("does not count again either when a page, whose code changed too, undoes the title", async () => {
    const { process } = await changed();
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${process.url}/?by=100`);
    expect(await page.evaluate(() => globalThis.counterPage.shown())).toEqual({ title: "mine", n: 5 });
    expect(await page.evaluate((id) => globalThis.counterPage.takeBack(id), "i1")).toMatchObject({
      accepted: false,
      rejection: { reason: "dependents", details: { dependents: INCS.slice(1) } },
    });
    expect(await page.evaluate(() => globalThis.counterPage.takeBack("title"))).toMatchObject({ accepted: true });
    await expect.poll(() => page.evaluate(() => globalThis.counterPage.shown())).toEqual({ title: "untitled", n: 5 });
    await process.kill();
    await process.start();
    await page.reload();
    expect(await page.evaluate(() => globalThis.counterPage.shown())).toEqual({ title: "untitled", n: 5 });
  });
});
