// The version slider: what fits has a tick, and what does not is in a group.

import { board } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { createAnnouncer } from "../../src/announcer.ts";
import { createNotices } from "../../src/notices/notices.ts";
import { openBoard as openOnPage } from "../../src/open-board.ts";
import { commitEntry } from "../../src/timeline/log-entry.ts";
import { createPast } from "../../src/versions/past.ts";
import { restorable, restore } from "../../src/versions/restore.ts";
import { versionTicks } from "../../src/versions/ticks.ts";
import { GROUP_PLACES, roomIn, versionAt, versionWindow, type VersionWindow } from "../../src/versions/window.ts";
import { agent, openBoard, pageOf } from "../board-thread.ts";

const HEAD = 300;
const windowAt = (at: number, room = 50, head = HEAD) => versionWindow({ first: 0, head, at, room });
const places = ({ min, max }: VersionWindow) => max - min;

describe("300 versions where 50 places fit", () => {
  it("show the newest one by one, and the older ones as one group", () => {
    expect(windowAt(HEAD)).toEqual({ from: 253, to: 300, older: 252, newer: 0, min: 250, max: 300 });
  });

  it("open a group that is chosen, with no more places than fit", () => {
    const now = windowAt(HEAD);
    const opened = windowAt(versionAt(now, now.min));
    expect(opened).toMatchObject({ from: 225, to: 269, older: 224, newer: 31 });
    expect(windowAt(versionAt(opened, opened.max))).toEqual(now);
  });

  it("are all reached one by one, each in a window that fits and counts all others", () => {
    for (let at = HEAD; at >= 0; at -= 1) {
      const { from, to, older, newer, ...ends } = windowAt(at);
      expect(at, `${at}`).toBeGreaterThanOrEqual(from);
      expect(at, `${at}`).toBeLessThanOrEqual(to);
      expect(places({ from, to, older, newer, ...ends })).toBeLessThanOrEqual(50);
      const commits = to - Math.max(1, from) + 1;
      expect(older + commits + newer, `${at}`).toBe(HEAD);
      expect(versionAt({ from, to, older, newer, ...ends }, at - 1)).toBe(at - 1);
    }
  });

  it("stay where they are while versions are added, unless the newest are shown", () => {
    expect(windowAt(100, 50, HEAD + 1)).toEqual({ ...windowAt(100), newer: windowAt(100).newer + 1 });
  });

  it("need no group where all fit", () => {
    expect(windowAt(12, 50, 50)).toEqual({ from: 0, to: 50, older: 0, newer: 0, min: 0, max: 50 });
    expect(roomIn(0)).toBeGreaterThan(2 * GROUP_PLACES);
  });
});

describe("the ticks", () => {
  it("are those of the window, with its runs as brackets and its groups as numbers", async () => {
    const thread = await openBoard();
    const edit = (priority: number, runId?: string) =>
      thread.dispatch(board.op.editCard({ cardId: "T-1", priority }), {
        actor: agent,
        ...(runId !== undefined && { runId }),
      });
    for (let version = 2; version <= 40; version += 1)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await edit(1 + (version % 4), version >= 38 ? "run" : undefined);
    const commits = (await thread.history()).flatMap((each) =>
      each.kind === "commit" ? [commitEntry(each.commit)] : [],
    );
    const shown = versionWindow({ first: 0, head: 40, at: 40, room: 20 });
    const { ticks, runs, groups } = versionTicks(commits.toReversed(), shown);
    expect(ticks.map(({ version }) => version)).toEqual(Array.from({ length: 18 }, (_, index) => 40 - index));
    expect(ticks.at(-1)?.left).toBeCloseTo(15);
    expect(runs).toEqual([{ key: "38-40", left: 90, width: 10 }]);
    expect(groups).toEqual([{ key: "older", count: "22", left: 5 }]);
  });
});

describe("an older version that is restored", () => {
  it("is one edit, which can be undone, and is said", async () => {
    const thread = await openBoard();
    const page = pageOf(thread);
    const announcer = createAnnouncer();
    const { edits, close } = openOnPage(page, { notices: createNotices(), announcer });
    const past = createPast(page, announcer);
    page.undo.subscribe(() => undefined);
    await page.ready();
    const before = thread.getState();
    await edits.addCard("done", "Later", 2);
    await edits.removeCard("T-1", "backlog");
    const after = thread.getState();
    past.show(1);
    expect(restorable(past.getState())).toBeUndefined();
    await expect.poll(() => restorable(past.getState())).toEqual(before);
    restore({ past, edits });
    expect(past.getState().version).toBeUndefined();
    await expect.poll(() => announcer.getState().sentence).toContain("again as it was at version 1; accepted.");
    expect([thread.version, thread.getState()]).toEqual([4, before]);
    await expect.poll(() => page.undo.getState().canUndo).toBe(true);
    await page.undo("last");
    expect(thread.getState()).toEqual(after);
    close();
  });

  it("is not version 0, when there was no board", async () => {
    const page = pageOf(await openBoard());
    const past = createPast(page, createAnnouncer());
    await page.ready();
    past.show(0);
    await expect.poll(() => past.getState().shown?.version).toBe(0);
    expect(restorable(past.getState())).toBeUndefined();
  });
});
