// Tabs of a real browser on a real server.

import type { Page } from "playwright";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isLong, runs } from "../../../../../tools/runs.ts";
import { serveTabs, type Tabs } from "./serve-tabs.ts";

const FIFTY = Array.from({ length: 50 }, (_, index) => `t${index}`);

let tabs: Tabs;
beforeEach(async () => {
  tabs = await serveTabs(FIFTY);
});
afterEach(() => tabs.close());

const online = (page: Page) => page.evaluate(() => globalThis.page.online());
const isLeading = (page: Page) => page.evaluate(() => globalThis.page.isLeading);

/** The streams of the tabs that found another one to lead have ended. */
const streams = (count: number) => vi.waitFor(() => expect(tabs.streams()).toBe(count), 10_000);

async function leaderOf(pages: readonly Page[]): Promise<Page> {
  for (const page of pages) if (await isLeading(page)) return page;
  throw new Error("No tab leads.");
}

describe("tabs of one person", () => {
  it("have one connection: 7 tabs with 50 threads each, over HTTP/1.1", async () => {
    const pages = await Promise.all(Array.from({ length: 7 }, () => tabs.open()));
    await Promise.all(pages.map(online));
    await streams(1);
    for (const page of pages) await online(page);
    expect((await Promise.all(pages.map(isLeading))).filter(Boolean)).toHaveLength(1);
    // Other requests of the origin are not in their way.
    const [typing, editing] = pages as [Page, Page];
    await typing.evaluate(() => globalThis.page.type("typed"));
    const verdict = await editing.evaluate(() => globalThis.page.edit("t49", "edited"));
    expect(verdict.accepted).toBe(true);
    const typed = await typing.evaluate(() => globalThis.page.stop());
    for (const page of pages) {
      await vi.waitFor(async () => expect(await page.evaluate(() => globalThis.page.names("t49"))).toContain("edited"));
      await vi.waitFor(async () => expect(await page.evaluate(() => globalThis.page.names("t0"))).toContain(typed[0]));
    }
  });

  it("go on when the one that leads is killed: no edit is lost, none happens twice", async () => {
    const threads = FIFTY.slice(0, 3);
    let pages = await Promise.all(Array.from({ length: 4 }, () => tabs.open({ threads })));
    await Promise.all(pages.map(online));
    await streams(1);
    for (let round = 0; round < runs(3, 100); round++) {
      for (const [index, page] of pages.entries())
        await page.evaluate((prefix) => globalThis.page.type(prefix), `${round} ${index}`);
      const leader = await leaderOf(pages);
      const others = pages.filter((page) => page !== leader);
      const back = others.map((page) => page.evaluate(() => globalThis.page.backOnline()));
      // By its own close, or by a crash of its process.
      if (round % 2 === 0) await leader.close();
      else await crash(leader);
      await Promise.all(back);
      const accepted = (await Promise.all(others.map((page) => page.evaluate(() => globalThis.page.stop())))).flat();
      const happened = (await Promise.all(threads.map((thread) => tabs.names(thread)))).flat();
      expect(happened.filter((name, at) => happened.indexOf(name) !== at)).toEqual([]);
      expect(accepted.filter((name) => !happened.includes(name))).toEqual([]);
      expect(accepted.length).toBeGreaterThan(0);
      pages = [...others, await tabs.open({ threads })];
      await Promise.all(pages.map(online));
      await streams(1);
    }
  });
});

describe.runIf(isLong())("a tab that leads and does not answer", () => {
  it("is replaced, and follows when it wakes up", async () => {
    const threads = ["t0"];
    const pages = await Promise.all(Array.from({ length: 3 }, () => tabs.open({ threads })));
    await Promise.all(pages.map(online));
    await streams(1);
    const leader = await leaderOf(pages);
    const others = pages.filter((page) => page !== leader);
    const back = others.map((page) => page.evaluate(() => globalThis.page.backOnline()));
    // Not by the browser's own freezing, which leaves alone a tab that holds a lock.
    const asleep = leader.evaluate(() => {
      for (const end = Date.now() + 30_000; Date.now() < end;);
    });
    await Promise.all(back);
    const [editing] = others as [Page];
    expect((await editing.evaluate(() => globalThis.page.edit("t0", "meanwhile"))).accepted).toBe(true);
    await asleep;
    await online(leader);
    await streams(1);
    expect(await isLeading(leader)).toBe(false);
    await vi.waitFor(async () =>
      expect(await leader.evaluate(() => globalThis.page.names("t0"))).toContain("meanwhile"),
    );
  });
});

describe("tabs that have not the same in common", () => {
  it("share no connection and no store when two people are signed in", async () => {
    const threads = ["t0"];
    const [ada1, ada2] = [await tabs.open({ threads }), await tabs.open({ threads })];
    const [bob1, bob2] = [await tabs.open({ as: "bob", threads }), await tabs.open({ as: "bob", threads })];
    await Promise.all([ada1, ada2, bob1, bob2].map(online));
    await streams(2);
    const actors = await Promise.all(
      [ada1, ada2, bob1, bob2].map((page) => page.evaluate(() => globalThis.page.actor)),
    );
    expect(actors).toEqual(["ada", "ada", "bob", "bob"]);
    // The one that leads for ada is gone: bob's connection stays bob's.
    await (await leaderOf([ada1, ada2])).close();
    const ada = ada1.isClosed() ? ada2 : ada1;
    await vi.waitFor(async () => expect(await isLeading(ada)).toBe(true));
    await online(ada);
    await streams(2);
    await ada.evaluate(() => globalThis.page.save("hers"));
    await bob1.evaluate(() => globalThis.page.save("his"));
    expect(await bob2.evaluate(() => globalThis.page.stored("bob"))).toEqual(["his"]);
    expect(await ada.evaluate(() => globalThis.page.stored("ada"))).toEqual(["hers"]);
  });

  it("share no connection when their code has other definitions", async () => {
    const threads = ["t0"];
    const pages = [await tabs.open({ threads }), await tabs.open({ threads, query: "version=2" })];
    await Promise.all(pages.map(online));
    await streams(2);
    expect(await Promise.all(pages.map(isLeading))).toEqual([true, true]);
  });
});

async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  void session.send("Page.crash").catch(() => undefined);
  await crashed;
}
