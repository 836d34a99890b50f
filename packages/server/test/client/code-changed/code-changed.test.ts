// What was counted stays counted: a server is killed, and one whose code counts otherwise goes on
// with its file.

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
const THREADS = ["title", "counted", "new", "page"] as const;

const folder = mkdtempSync(join(tmpdir(), "opstate-code-"));
const script = join(folder, "page.js");
const store: Store = { kind: "sqlite", path: join(folder, "log.sqlite") };
/** The server whose code adds 100. */
const server = serverThatAdds(100);
let browser: Browser;

function serverThatAdds(by: number): ServerProcess {
  return new ServerProcess(store, {
    runs: [join(import.meta.dirname, "../../support/pages/counting-server.ts"), String(by), script],
  });
}

function threadOf({ url }: ServerProcess, thread: (typeof THREADS)[number]) {
  const path = `${url}/api/threads/${thread}`;
  return {
    create: () => send(path, "PUT", { definition: "counter" }, {}),
    post: (route: string, body: unknown): Promise<Answer> => send(path + route, "POST", body, {}),
    /** What a page that loads the thread gets. */
    state: async () => (await send(path, "GET", undefined, {})).body.state as unknown,
  };
}

// In each thread a title and five times one more, by a process that is killed.
beforeAll(async () => {
  writeFileSync(script, await bundlePage(join(import.meta.dirname, "page.ts"), ["opstate-page"]));
  browser = await chromium.launch(launchOptions());
  const before = serverThatAdds(1);
  await before.start();
  for (const name of THREADS) {
    const { create, post } = threadOf(before, name);
    await create();
    await post("/operations", { id: "title", operation: { type: "title", text: "mine" } });
    for (const id of INCS)
      expect(await post("/operations", { id, operation: { type: "inc" } })).toMatchObject({ body: { accepted: true } });
  }
  await before.kill();
  await server.start();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

describe("a server whose code counts otherwise than the one before it", { timeout: 240_000 }, () => {
  it("does not count again when the title is undone", async () => {
    const { post, state } = threadOf(server, "title");
    expect(await state()).toEqual({ title: "mine", n: 5 });
    expect(await post("/undo", { target: { ids: ["title"] } })).toMatchObject({ body: { accepted: true } });
    expect(await state()).toEqual({ title: "untitled", n: 5 });
    await server.kill();
    await server.start();
    expect(await state()).toEqual({ title: "untitled", n: 5 });
  });

  it("names what it would count otherwise, and changes nothing", async () => {
    const { post, state } = threadOf(server, "counted");
    expect(await post("/undo", { target: { ids: ["i1"] } })).toMatchObject({
      body: { accepted: false, rejection: { reason: "dependents", details: { dependents: INCS.slice(1) } } },
    });
    expect(await state()).toEqual({ title: "mine", n: 5 });
  });

  it("counts what is new as it counts, and undoes that", async () => {
    const { post, state } = threadOf(server, "new");
    await post("/operations", { id: "i6", operation: { type: "inc" } });
    expect(await state()).toEqual({ title: "mine", n: 105 });
    await post("/undo", { target: { ids: ["i6"] } });
    expect(await state()).toEqual({ title: "mine", n: 5 });
  });

  it("does not count again either when a page, whose code changed too, undoes the title", async () => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(`${server.url}/?by=100&thread=page`);
    expect(await page.evaluate(() => globalThis.counterPage.shown())).toEqual({ title: "mine", n: 5 });
    expect(await page.evaluate((id) => globalThis.counterPage.takeBack(id), "i1")).toMatchObject({
      accepted: false,
      rejection: { reason: "dependents", details: { dependents: INCS.slice(1) } },
    });
    expect(await page.evaluate(() => globalThis.counterPage.takeBack("title"))).toMatchObject({ accepted: true });
    await expect.poll(() => page.evaluate(() => globalThis.counterPage.shown())).toEqual({ title: "untitled", n: 5 });
    await server.kill();
    await server.start();
    await page.reload();
    expect(await page.evaluate(() => globalThis.counterPage.shown())).toEqual({ title: "untitled", n: 5 });
  });
});
