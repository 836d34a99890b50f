// A write in the callback of an array method, in production: a page's build in a real browser, a
// server on SQLite that is killed afterwards, and the page loaded anew.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Verdict } from "@opstate/core";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchOptions } from "../../../../../tools/browser.mjs";
import { bundlePage } from "../../support/pages/bundle-page.ts";
import { send } from "../../support/server.ts";
import { ServerProcess } from "../../support/processes/server-process.ts";
import { type Card, list, type Write, WRITES } from "./list.ts";
import type { ListPage } from "./page.ts";

declare global {
  var listPage: ListPage;
}

const ALL = Object.keys(WRITES) as readonly Write[];

/** The page refuses what its search saw; the rest it shows until the server says what it is. */
const REFUSED: { readonly [write in Write]?: RegExp } = {
  ...Object.fromEntries(
    ["some", "someTag", "someLongTag", "every", "find", "findIndex", "findLast", "findLastIndex"].map((write) => [
      write,
      /^"\w+" failed: TypeError: Cannot .+; use for\.\.\.of\.$/,
    ]),
  ),
  ...Object.fromEntries(
    ["filter", "map", "reduce", "sort"].map((write) => [
      write,
      /^"\w+" failed: a callback of \w+\(\) wrote to something frozen, .+; use for\.\.\.of, or change what find\(\) returned\./,
    ]),
  ),
};

/** What the write comes to on a plain object. */
function onPlain(write: Write): Card[] {
  const { cards } = structuredClone(list.initial) as { cards: Card[] };
  WRITES[write](cards);
  return cards;
}

const folder = mkdtempSync(join(tmpdir(), "opstate-callbacks-"));
const script = join(folder, "page.js");
const server = new ServerProcess(
  { kind: "sqlite", path: join(folder, "log.sqlite") },
  { runs: [join(import.meta.dirname, "../../support/pages/list-server.ts"), script], env: { NODE_ENV: "production" } },
);
const verdicts = new Map<Write, Verdict>();
const shownBefore = new Map<Write, readonly Card[]>();
let browser: Browser;
let page: Page;

const shown = (write: Write) => page.evaluate((id) => globalThis.listPage.shown(id), write);

beforeAll(async () => {
  writeFileSync(script, await bundlePage(join(import.meta.dirname, "page.ts"), ["opstate-page"]));
  await server.start();
  for (const write of ALL) await send(`${server.url}/api/threads/${write}`, "PUT", { definition: "list" }, {});
  browser = await chromium.launch(launchOptions());
  page = await browser.newPage();
  await page.goto(server.url);
  for (const write of ALL) {
    verdicts.set(write, await page.evaluate((type) => globalThis.listPage.perform(type), write));
    shownBefore.set(write, await shown(write));
  }
  await server.kill();
  await server.start();
  await page.reload();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

it.each(ALL)("a write in %s is as on a plain object, or refused with words", async (write) => {
  const words = REFUSED[write];
  expect(verdicts.get(write)).toMatchObject(
    words === undefined
      ? { accepted: true, version: 1, commit: { operation: { type: write } } }
      : { accepted: false, rejection: { code: "failed", message: expect.stringMatching(words) } },
  );
  const cards = words === undefined ? onPlain(write) : list.initial.cards;
  const version = words === undefined ? 1 : 0;
  expect(shownBefore.get(write)).toEqual(cards);
  const { body } = await send(`${server.url}/api/threads/${write}`, "GET", undefined, {});
  expect(body).toMatchObject({ version, state: { cards } });
  expect(await shown(write)).toEqual(cards);
});
