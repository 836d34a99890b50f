// Edits, their announcements, and refusals beside the card.

import { board, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { createAnnouncer } from "../src/announcer.ts";
import { createNotices } from "../src/notices/notices.ts";
import { openBoard as openOnPage } from "../src/open-board.ts";
import { openBoard, pageOf } from "./board-thread.ts";

async function open() {
  const thread = await openBoard();
  const page = pageOf(thread);
  const [notices, announcer] = [createNotices(), createAnnouncer()];
  const shown = openOnPage(page, { notices, announcer });
  await page.ready();
  return { thread, page, notices, announcer, shown };
}

describe("an edit", () => {
  it("is said with the title of its card", async () => {
    const { shown, announcer } = await open();
    expect(await shown.edits.move("T-1", "backlog", { columnId: "done", index: 0 })).toBe(true);
    expect(announcer.getState().sentence).toMatch(/^'.*' \(T-1\) moved to Done.*; accepted\.$/);
    shown.close();
  });

  it("moves a column to a place among all", async () => {
    const { thread, shown, announcer } = await open();
    expect(await shown.edits.moveColumn("review", 0)).toBe(true);
    expect(thread.getState()?.columns.map(({ columnId }) => columnId)).toEqual([
      "review",
      "backlog",
      "in-progress",
      "done",
    ]);
    expect(announcer.getState().sentence).toBe("Review moved to position 1 of 4; accepted.");
    await shown.edits.moveColumn("review", 3);
    expect(thread.getState()?.columns.at(-1)?.columnId).toBe("review");
    // Where it is already.
    await shown.edits.moveColumn("review", 3);
    expect(thread.version).toBe(3);
    expect(announcer.getState().sentence).toContain("Not moved: Review stays where it was.");
    shown.close();
  });

  it("moves a column to the end, where another actor removed the last one meanwhile", async () => {
    const { thread, shown, announcer } = await open();
    await shown.edits.addColumn("Later");
    const later = thread.getState()?.columns.at(-1)?.columnId ?? "";
    await shown.thread.dispatch(board.op.removeColumn({ columnId: later }));
    expect(await shown.edits.moveColumn("backlog", 4)).toBe(true);
    expect(thread.getState()?.columns.at(-1)?.columnId).toBe("backlog");
    expect(announcer.getState().sentence).toContain("Backlog moved to position 4 of 4; accepted.");
    // One that is gone is refused.
    expect(await shown.edits.moveColumn(later, 0)).toBe(false);
    shown.close();
  });

  it("of a column is refused beside that column", async () => {
    const { shown, notices } = await open();
    const refused = shown.thread.dispatch(board.op.move({ fromColumn: "review", toColumn: "gone" }));
    expect((await refused).accepted).toBe(false);
    expect(notices.getState()).toMatchObject([{ columnId: "review" }]);
    expect(notices.getState()[0]).not.toHaveProperty("cardId");
    shown.close();
  });

  it("restores an older version, but not over what another did meanwhile", async () => {
    const { thread, shown, announcer } = await open();
    const grace = { actor: { kind: "user", id: "grace" } };
    const theirs = thread.dispatch(board.op.remove({ cardId: "T-1" }), grace);
    const before = shown.edits.restore(1, sampleBoard);
    expect((await theirs).accepted).toBe(true);
    expect(await before).toBe(false);
    expect(thread.version).toBe(2);
    expect(announcer.getState().sentence).toBe("Not done: the board changed meanwhile. Look again, then repeat it.");
    expect(await shown.edits.restore(1, sampleBoard)).toBe(true);
    expect(thread.getState()).toEqual(sampleBoard);
    shown.close();
  });

  it("is shown beside its card when it is refused, no matter what sent it", async () => {
    const { thread, page, shown, notices, announcer } = await open();
    await thread.dispatch(board.op.move({ cardId: "T-1", toColumn: "review" }), {
      actor: { kind: "user", id: "grace" },
    });
    expect(await shown.edits.move("T-1", "backlog", { columnId: "done", index: 0 })).toBe(false);
    expect(notices.getState()).toMatchObject([{ cardId: "T-1", columnId: "done" }]);
    expect(announcer.getState().sentence).toContain(
      "'Write the launch announcement' (T-1) is in 'Review', not in 'Backlog'",
    );
    // As an edit of before a reload, which nobody here made.
    await page.dispatch(board.op.addCard({ columnId: "nowhere", title: "New" }));
    expect(notices.getState().at(-1)).toMatchObject({ columnId: "nowhere" });
    shown.close();
    await page.dispatch(board.op.removeColumn({ columnId: "backlog" }));
    expect(notices.getState()).toHaveLength(2);
  });
});
