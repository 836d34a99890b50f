// What a visitor of the demo waits for: the script of the first board, and the time until it is
// there in a browser that has nothing of it yet; and how smoothly a card is dragged on a board of
// 10,000 cards, beside the sample board.

import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { scriptSize } from "../../../tools/checks/check-scripts.ts";
import { type Budget, quotient } from "../harness/budget.ts";
import { root } from "../harness/bundler.ts";
import { median } from "../harness/median.ts";
import { columnsOf, type Table } from "../harness/results.ts";
import { short } from "../harness/short.ts";
import { REACT, START, SVELTE, withDemo } from "./demo.ts";

const SCRIPT = "Script that the demo's pages request before their first board";
const TIME = "From the address to the first board, with an empty cache, in Chromium";
const FRAMES = "Frames per second while a card is dragged over the board, in Chromium";
const SENT = "minified and gzipped";
const SMALL = "the sample board";
const BIG = "10,000 cards";

/** What Lighthouse has for a phone. Throughput in bytes per second, latency in ms. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const VIEWPORT = { width: 1440, height: 900 };
const DRAG_MS = 3_000;

const PAGES = [
  { name: REACT, path: "/react/", built: "apps/kanban-react/dist/index.html" },
  { name: SVELTE, path: "/svelte/", built: "apps/kanban-svelte/dist/index.html" },
  { name: START, path: "/", built: "apps/demo/dist/index.html" },
] as const;

interface Network {
  readonly head: string;
  readonly rounds: number;
  readonly conditions?: typeof SLOW;
}

const NETWORKS: readonly Network[] = [
  { head: "loopback", rounds: short ? 3 : 15 },
  { head: "1.6 Mbit/s, 150 ms", rounds: short ? 1 : 5, conditions: SLOW },
];

const BOARDS = [
  { row: SMALL, thread: "demo" },
  { row: BIG, thread: "big" },
] as const;

export async function firstBoardTables(): Promise<readonly Table[]> {
  const sizes = PAGES.map(({ name, built }) => [name, scriptSize(fileURLToPath(new URL(built, root))) * 1000] as const);
  return withDemo(async (browser, url) => [
    { title: SCRIPT, unit: "bytes", columns: { [SENT]: Object.fromEntries(sizes) } },
    {
      title: TIME,
      unit: "ms",
      columns: await columnsOf(
        NETWORKS,
        ({ head }) => head,
        async (network) => {
          const times: Record<string, number[]> = {};
          // All pages in turn: what else the machine does meets each of them.
          for (let round = 0; round < network.rounds; round += 1)
            for (const { name, path } of PAGES)
              (times[name] ??= []).push(await firstBoard(browser, `${url}${path}`, network));
          return Object.fromEntries(Object.entries(times).map(([name, each]) => [name, median(each)]));
        },
      ),
    },
    {
      title: FRAMES,
      unit: "per second",
      columns: await columnsOf(
        PAGES.slice(0, 2),
        ({ name }) => name,
        async ({ path }) => {
          const rows: Record<string, number> = {};
          for (const { row, thread } of BOARDS)
            rows[row] = await framesWhileDragging(browser, `${url}${path}?thread=${thread}`);
          return rows;
        },
      ),
    },
  ]);
}

/** In ms, to the frame after the first card. */
async function firstBoard(browser: Browser, address: string, { conditions }: Network): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  if (conditions) {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", conditions);
  }
  await page.addInitScript(() => {
    globalThis.firstBoard = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector("[data-card-id]")) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now()));
      });
      observer.observe(document, { childList: true, subtree: true });
    });
  });
  await page.goto(address, { waitUntil: "commit" });
  const time = await page.evaluate(() => globalThis.firstBoard);
  await context.close();
  return time;
}

/** While the pointer moves from column to column, and up and down, as fast as it is taken. */
async function framesWhileDragging(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await page.goto(address);
  const card = page.locator("[data-card-id]").first();
  await card.hover();
  await page.mouse.down();
  await moveFor(page, 500);
  const frames = page.evaluate(
    (milliseconds) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        let count = 0;
        const next = (): void => {
          const time = performance.now() - start;
          if (time >= milliseconds) return resolve((count * 1000) / time);
          count += 1;
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    DRAG_MS,
  );
  await moveFor(page, DRAG_MS);
  const measured = await frames;
  if ((await page.locator("[data-dragging]").count()) === 0) throw new Error(`No card is dragged on ${address}.`);
  await page.keyboard.press("Escape");
  await page.mouse.up();
  await context.close();
  return measured;
}

async function moveFor(page: Page, milliseconds: number): Promise<void> {
  const start = performance.now();
  for (let time = 0; time < milliseconds; time = performance.now() - start)
    await page.mouse.move(900 + 350 * Math.sin(time / 300), 500 + 200 * Math.sin(time / 170));
}

export const FIRST_BOARD_BUDGETS: readonly Budget[] = [
  ...Object.entries({ [REACT]: 130, [SVELTE]: 95 }).map(([row, limit]): Budget => ({
    what: `script of the first board, ${row}`,
    table: SCRIPT,
    bound: "at most",
    limit,
    unit: "KB",
    measured: (read) => quotient(read(SENT, row), 1000),
  })),
  ...[REACT, SVELTE].map((column): Budget => ({
    what: `frames while dragging on ${BIG}, ${column}, to ${SMALL}`,
    table: FRAMES,
    bound: "at least",
    limit: 0.9,
    unit: "×",
    measured: (read) => quotient(read(column, BIG), read(column, SMALL)),
  })),
];

declare global {
  var firstBoard: Promise<number>;
}
