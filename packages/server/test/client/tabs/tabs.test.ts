// Tabs of a real browser on a real server.

import type { Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { isLong, runs } from "../../../../../tools/runs.ts";
import { launchTabBrowser, type TabBrowser, type Tabs } from "./serve-tabs.ts";

const FIFTY = Array.from({ length: 50 }, (_, index) => `t${index}`);

let browser: TabBrowser;
beforeAll(async () => {
  browser = await launchTabBrowser();
});
afterAll(() => browser?.close());

let tabs: Tabs;
beforeEach(async () => {
  tabs = await browser.serve(FIFTY);
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
    for (let round = 0; round < runs(2, 100); round++) {
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

describe.each(isLong() ? [2, 7] : [2])("%d tabs", (count) => {
  it("confirm the edit of one that follows, and go on when the one that leads is closed", async () => {
    const threads = ["t0"];
    const pages = await Promise.all(Array.from({ length: count }, () => tabs.open({ threads })));
    await Promise.all(pages.map(online));
    await streams(1);
    const leader = await leaderOf(pages);
    const others = pages.filter((page) => page !== leader);
    for (const [index, page] of others.entries()) {
      const edited = await page.evaluate((name) => globalThis.page.edit("t0", name), `confirmed ${index}`);
      expect(edited.accepted).toBe(true);
    }
    const back = others.map((page) => page.evaluate(() => globalThis.page.backOnline()));
    for (const [index, page] of others.entries())
      await page.evaluate((name) => globalThis.page.editSoon("t0", name), `waiting ${index}`);
    await leader.close();
    await Promise.all(back);
    await streams(1);
    const expected = others.flatMap((_, index) => [`confirmed ${index}`, `waiting ${index}`]).toSorted();
    await vi.waitFor(async () => expect((await tabs.names("t0")).toSorted()).toEqual(expected));
    for (const page of others)
      await vi.waitFor(async () =>
        expect((await page.evaluate(() => globalThis.page.names("t0"))).toSorted()).toEqual(expected),
      );
  });
});

describe("what tabs show of themselves", () => {
  it("is seen by the others, and not as another person by the tab itself", async () => {
    const threads = ["t0"];
    const pages = await Promise.all(Array.from({ length: 3 }, () => tabs.open({ threads })));
    await Promise.all(pages.map(online));
    await streams(1);
    for (const page of pages) await online(page);
    const foci = pages.map((_, index) => `/names/${index}`);
    for (const [index, page] of pages.entries())
      await page.evaluate((focus) => globalThis.page.show("t0", focus), foci[index] ?? "");
    for (const [index, page] of pages.entries())
      await vi.waitFor(async () => {
        const present = await page.evaluate(() => globalThis.page.present("t0"));
        const shown = present.map(({ focus = "" }) => focus).toSorted((a, b) => (a < b ? -1 : 1));
        expect(shown).toEqual(foci.filter((_, other) => other !== index));
      });
  });
});

describe("tabs that keep what waits in one store", () => {
  it("leave no edit in it that the stored state has, though its tab was killed", async () => {
    const open = () => tabs.open({ threads: ["t0"], query: "kept" });
    const [first, second] = [await open(), await open()];
    await Promise.all([first, second].map(online));
    await streams(1);
    const [leader, other] = (await isLeading(first)) ? [first, second] : [second, first];
    await other.evaluate(() => globalThis.page.edit("t0", "once"));
    await crash(other);
    await vi.waitFor(async () => expect(await leader.evaluate(() => globalThis.page.stored("ada"))).toEqual([]));
    expect(await leader.evaluate(() => globalThis.page.names("t0"))).toEqual(["once"]);
  });
});

describe("an origin that has six connections, over HTTP/1.1", () => {
  it.runIf(isLong())("has one for all threads of a page and all tabs: other requests go through", async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, () => tabs.open({ threads: FIFTY.slice(0, 6) })));
    await Promise.all(pages.map(online));
    await streams(1);
    for (const [index, page] of pages.entries()) {
      expect(await page.evaluate(() => globalThis.page.ask("/page.js"))).toBe(200);
      const { accepted } = await page.evaluate((name) => globalThis.page.edit("t5", name), `edited ${index}`);
      expect(accepted).toBe(true);
    }
  });

  it("shows no tab as online whose stream waits for one, and goes on when one is free", async () => {
    const other = await tabs.open({ threads: ["t0"] });
    const page = await tabs.open({ threads: ["t0"], query: "alone" });
    await Promise.all([other, page].map(online));
    for (const each of [other, page]) await each.evaluate(() => globalThis.page.disconnect());
    await streams(0);
    await other.evaluate(() => globalThis.page.fill(6));
    await page.evaluate(() => {
      globalThis.page.connect();
      globalThis.page.editSoon("t0", "waiting");
    });
    // The stream is asked for, and waits in the browser.
    await vi.waitFor(async () => expect(await isLeading(page)).toBe(true));
    expect(tabs.streams()).toBe(0);
    const seen = page.evaluate(() => globalThis.page.statusesUntilOnline());
    expect(await page.evaluate(() => globalThis.page.statuses())).toEqual(["connecting"]);
    // One for its stream, one for its edit.
    for (let count = 0; count < 2; count++) await other.evaluate(() => globalThis.page.free());
    expect(await seen).toEqual({ before: ["connecting"], streams: 1 });
    await vi.waitFor(async () => expect(await tabs.names("t0")).toEqual(["waiting"]));
  });
});

describe.each([
  ["forbidden", () => tabs.forbid("t0")],
  ["not_found", () => tabs.remove("t0")],
] as const)("a thread that is %s", (status, end) => {
  it("leaves the store, and the edit that waits stays in it", async () => {
    const page = await tabs.open({ threads: ["t0"], query: "kept" });
    await online(page);
    await page.evaluate(() => globalThis.page.edit("t0", "before"));
    await vi.waitFor(async () => expect(await page.evaluate(() => globalThis.page.hasSnapshot("ada"))).toBe(true));
    await page.evaluate(() => {
      globalThis.page.disconnect();
      globalThis.page.editSoon("t0", "waiting");
    });
    const names = () => page.evaluate(() => globalThis.page.storedNames("ada"));
    await vi.waitFor(async () => expect(await names()).toEqual(["waiting"]));
    await end();
    await page.evaluate(() => globalThis.page.connect());
    await vi.waitFor(async () => expect(await page.evaluate(() => globalThis.page.statuses())).toEqual([status]));
    await vi.waitFor(async () => expect(await page.evaluate(() => globalThis.page.hasSnapshot("ada"))).toBe(false));
    expect(await names()).toEqual(["waiting"]);
  });
});

describe("a tab that is killed in the middle of offline edits", () => {
  it("loses none that was stored: the next one shows them, and each has one effect", async () => {
    const watch = await tabs.open({ as: "bob", threads: ["t1"] });
    const stored = () => watch.evaluate(() => globalThis.page.storedNames("ada"));
    const expected: string[] = [];
    for (let round = 0; round < runs(1, 100); round++) {
      const page = await tabs.open({ threads: ["t0"], query: "kept" });
      await online(page);
      await page.evaluate((prefix) => {
        globalThis.page.disconnect();
        globalThis.page.type(prefix);
      }, `${round}`);
      // Killed while it goes on editing, after one edit, or several.
      const least = 1 + ((round * 7) % 13);
      let seen: readonly string[] = [];
      await vi.waitFor(async () => expect((seen = await stored()).length).toBeGreaterThanOrEqual(least), 20_000);
      await crash(page);
      await page.close();
      const kept = await stored();
      expect(kept.slice(0, seen.length)).toEqual(seen);
      const next = await tabs.open({ threads: ["t0"], query: "kept" });
      await online(next);
      expected.push(...kept);
      await vi.waitFor(async () => expect(await tabs.names("t0")).toEqual(expected), 20_000);
      expect(await next.evaluate(() => globalThis.page.names("t0"))).toEqual(expected);
      await vi.waitFor(async () => expect(await stored()).toEqual([]));
      await next.close();
    }
  });
});

describe("signing out in one tab", () => {
  it("ends the session in all of them: what waits in any is said, and nothing is stored again", async () => {
    const threads = ["t0"];
    const pages = [];
    for (const query of ["kept", "kept", "kept&device=b", "kept&alone"])
      pages.push(await tabs.open({ threads, query }));
    const bob = await tabs.open({ as: "bob", threads, query: "kept" });
    await Promise.all([...pages, bob].map(online));
    await streams(4);
    const [first, second, ...rest] = pages as [Page, Page, Page, Page];
    expect((await second.evaluate(() => globalThis.page.edit("t0", "before"))).accepted).toBe(true);
    await second.evaluate(() => {
      globalThis.page.disconnect();
      globalThis.page.editSoon("t0", "waiting");
    });
    await vi.waitFor(async () => expect(await first.evaluate(() => globalThis.page.stored("ada"))).toHaveLength(1));
    expect(await first.evaluate(() => globalThis.page.signOut(false))).toEqual({ done: false, waiting: 1 });
    for (const page of rest) await page.evaluate(() => globalThis.page.startSaving());
    expect(await first.evaluate(() => globalThis.page.signOut(true))).toEqual({ done: true, waiting: 1 });
    for (const page of rest) expect(await page.evaluate(() => globalThis.page.refusal())).toBe("signed_out");
    for (const page of [second, ...rest])
      await vi.waitFor(async () =>
        expect(await page.evaluate(() => globalThis.page.statuses())).toEqual(["unauthenticated"]),
      );
    await streams(1);
    expect(await bob.evaluate(() => globalThis.page.hasSnapshot("ada"))).toBe(false);
    expect(await bob.evaluate(() => globalThis.page.stored("ada"))).toEqual([]);
    await online(bob);
    // The same person signs in again: what a tab still shows is sent then.
    await second.evaluate(() => globalThis.page.retry());
    await vi.waitFor(async () => expect(await tabs.names("t0")).toEqual(["before", "waiting"]));
    await vi.waitFor(async () => expect(await second.evaluate(() => globalThis.page.hasSnapshot("ada"))).toBe(true));
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

  it("share no connection when they send other headers, or want none to be shared", async () => {
    const threads = ["t0"];
    const queries = ["device=a", "device=b", "device=a&alone", "device=a"];
    const pages = await Promise.all(queries.map((query) => tabs.open({ threads, query })));
    await Promise.all(pages.map(online));
    await streams(3);
    expect((await Promise.all(pages.slice(1, 3).map(isLeading))).every(Boolean)).toBe(true);
  });

  it("send nothing of the actor who was signed in before, by a cookie of all tabs", async () => {
    await tabs.signIn("ada");
    const open = () => tabs.open({ as: undefined, threads: ["t0"] });
    const pages = [await open(), await open(), await open()];
    await Promise.all(pages.map(online));
    await streams(1);
    const actors = () => Promise.all(pages.map((page) => page.evaluate(() => globalThis.page.actor)));
    expect(await actors()).toEqual(["ada", "ada", "ada"]);
    await tabs.signIn("bob");
    const edits = pages.map((page, index) =>
      page.evaluate((name) => globalThis.page.edit("t0", name), `hers ${index}`),
    );
    for (const edit of edits) expect((await edit).accepted).toBe(false);
    await vi.waitFor(async () => expect(await actors()).toEqual(["bob", "bob", "bob"]));
    await streams(1);
    expect(await tabs.names("t0")).toEqual([]);
    const [page] = pages as [Page];
    await online(page);
    expect((await page.evaluate(() => globalThis.page.edit("t0", "his"))).accepted).toBe(true);
    expect(await tabs.authors("t0")).toEqual(["bob"]);
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
