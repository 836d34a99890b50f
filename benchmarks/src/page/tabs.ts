// Tabs that share one connection, in a real browser over a real server on loopback.

import { launchTabBrowser } from "../../../packages/server/test/client/tabs/serve-tabs.ts";
import type { Table } from "../harness/results.ts";
import { short } from "../harness/short.ts";

export const TABS = "7 tabs with 50 threads each on one connection, in Chromium";

export const TAB_ROW = {
  edit: "an edit in a tab that does not lead, until its verdict",
  death: "the tab that leads is closed, until the six others are online",
} as const;

const THREADS = Array.from({ length: 50 }, (_, index) => `t${index}`);
const EDITS = 200;

export async function tabTables(): Promise<readonly Table[]> {
  const browser = await launchTabBrowser();
  const tabs = await browser.serve(THREADS);
  try {
    const pages = await Promise.all(Array.from({ length: 7 }, () => tabs.open()));
    await Promise.all(pages.map((page) => page.evaluate(() => globalThis.page.online())));
    while (tabs.streams() > 1) await new Promise((resolve) => setTimeout(resolve, 50));
    const edits: number[] = [];
    const deaths: number[] = [];
    for (let round = 0; round < (short ? 3 : 10); round++) {
      const led = await Promise.all(pages.map((page) => page.evaluate(() => globalThis.page.isLeading)));
      const leading = led.indexOf(true);
      const following = pages.find((_, index) => index !== leading);
      for (let edit = 0; edit < EDITS / 10; edit++) {
        const took = await following?.evaluate(
          ({ thread, name }) => globalThis.page.edit(thread, name).then((verdict) => verdict.took),
          { thread: THREADS[edit] ?? "t0", name: `${round} ${edit}` },
        );
        if (took !== undefined) edits.push(took);
      }
      const [leader] = pages.splice(leading, 1);
      const back = pages.map((page) => page.evaluate(() => globalThis.page.backOnline()));
      // Each is ready to be notified.
      await Promise.all(pages.map((page) => page.evaluate(() => globalThis.page.statuses())));
      const start = Date.now();
      await leader?.close();
      deaths.push(Math.max(...(await Promise.all(back))) - start);
      const next = await tabs.open();
      await next.evaluate(() => globalThis.page.online());
      pages.push(next);
      while (tabs.streams() > 1) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return [
      {
        title: TABS,
        unit: "ms",
        columns: {
          median: { [TAB_ROW.edit]: at(edits, 0.5), [TAB_ROW.death]: at(deaths, 0.5) },
          p95: { [TAB_ROW.edit]: at(edits, 0.95), [TAB_ROW.death]: at(deaths, 0.95) },
        },
      },
    ];
  } finally {
    await tabs.close();
    await browser.close();
  }
}

function at(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
