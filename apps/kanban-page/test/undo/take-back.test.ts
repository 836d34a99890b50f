import { board, type BoardUpdate } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { createAnnouncer } from "../../src/announcer.ts";
import { LOG, logNow } from "../../src/timeline/log.ts";
import { createTakeBack } from "../../src/undo/take-back.ts";
import { agent, openBoard, pageOf } from "../board-thread.ts";

const grace = { kind: "user", id: "grace" };

/** What is said then is an announcement of its own. */
const nextMoment = () => new Promise<void>((resolve) => void setTimeout(resolve));

async function open() {
  const thread = await openBoard();
  const page = pageOf(thread);
  page.history.with(LOG).subscribe(() => undefined);
  const announcer = createAnnouncer();
  const takeBack = createTakeBack({ user: "ada", thread: page, announcer });
  const read = () => expect.poll(() => logNow(page).entries[0]?.version).toBe(thread.version);
  return {
    thread,
    page,
    takeBack,
    announcer,
    read,
    run: (update: BoardUpdate) => thread.dispatch(update, { actor: agent, runId: "run" }),
    by: (update: BoardUpdate) => thread.dispatch(update, { actor: grace }),
    async undoRun() {
      await read();
      await takeBack.run("run", { target: { runId: "run" }, announcement: "Done" });
      return takeBack.getState();
    },
    columnOf: (cardId: string) =>
      thread.getState()?.columns.find(({ cards }) => cards.some((card) => card.cardId === cardId))?.columnId,
  };
}

/** The agent moved T-1, and grace moved it on from there. */
async function movedOn() {
  const all = await open();
  await all.run(board.op.move({ cardId: "T-1", toColumn: "review" }));
  await all.by(board.op.move({ cardId: "T-1", fromColumn: "review", toColumn: "done" }));
  return all;
}

describe("an undo of what others built on", () => {
  it("shows what each edit did, and would do now", async () => {
    const { undoRun, columnOf } = await movedOn();
    expect((await undoRun()).obstacle).toMatchObject({
      about: "run",
      message: "Not taken back yet: 1 later edit would do something else without it.",
      dependents: [
        {
          actor: grace,
          version: 3,
          before: "Move 'Write the launch announcement' (T-1): Review -> Done",
          after: "Could not be done: its card would be in another column",
          stays: true,
        },
      ],
      more: 0,
      keep: { label: "Keep" },
      drop: { label: "Drop" },
    });
    expect(columnOf("T-1")).toBe("done");
  });

  it("keeps theirs, and says what stays", async () => {
    const { undoRun, columnOf, takeBack } = await movedOn();
    await (await undoRun()).obstacle?.keep?.choose();
    expect(columnOf("T-1")).toBe("done");
    expect(takeBack.getState()).toMatchObject({
      obstacle: undefined,
      kept: { about: "run", lines: ["Stays: Move 'Write the launch announcement' (T-1): Review -> Done (grace)"] },
    });
  });

  it("drops theirs", async () => {
    const { undoRun, columnOf, takeBack } = await movedOn();
    await (await undoRun()).obstacle?.drop?.choose();
    expect(columnOf("T-1")).toBe("backlog");
    expect(takeBack.getState()).toMatchObject({ obstacle: undefined, kept: undefined });
  });

  it("leaves everything as it is", async () => {
    const { undoRun, columnOf, takeBack, thread } = await movedOn();
    await undoRun();
    takeBack.dismiss();
    expect(takeBack.getState().obstacle).toBeUndefined();
    expect([columnOf("T-1"), thread.version]).toEqual(["done", 3]);
  });

  it("does not offer to keep what goes with its card, and says how many of several can stay", async () => {
    const { undoRun, run, by, thread } = await movedOn();
    await run(board.op.addCard({ columnId: "backlog", title: "Agent's" }));
    const cardId = thread.getState()?.columns[0]?.cards.at(-1)?.cardId ?? "";
    await by(board.op.editCard({ cardId, title: "Grace's" }));
    const { obstacle } = await undoRun();
    expect(obstacle?.dependents).toMatchObject([
      { stays: true },
      {
        before: `Change 'Agent's' (${cardId}): rename it to 'Grace's'`,
        after: "Could not be done: its card would not be there",
        stays: false,
      },
    ]);
    expect(obstacle?.keep?.label).toBe("Keep 1 of 2");
  });

  it("has no way to keep where nothing can stay", async () => {
    const { undoRun, run, by, thread } = await open();
    await run(board.op.addCard({ columnId: "backlog", title: "Agent's" }));
    const cardId = thread.getState()?.columns[0]?.cards.at(-1)?.cardId ?? "";
    await by(board.op.editCard({ cardId, title: "Grace's" }));
    const { obstacle } = await undoRun();
    expect(obstacle?.keep).toBeUndefined();
    expect(obstacle?.drop).toBeDefined();
  });

  it("says nothing when all that was kept did the same", async () => {
    const { undoRun, run, by } = await open();
    await run(board.op.move({ cardId: "T-1", toColumn: "review" }));
    await by(board.op.editCard({ cardId: "T-1", title: "Grace's" }));
    expect(await undoRun()).toMatchObject({ busy: false, kept: undefined });
  });
});

describe("the person's own last edit", () => {
  it("is undone and redone, and each is said in the words of the log", async () => {
    const { page, takeBack, announcer, read, columnOf } = await open();
    page.undo.subscribe(() => undefined);
    await page.dispatch(board.op.move({ cardId: "T-1", toColumn: "done" }));
    await read();
    await expect.poll(() => page.undo.getState().canUndo).toBe(true);
    await takeBack.own("undo");
    expect(columnOf("T-1")).toBe("backlog");
    expect(announcer.getState().sentence).toBe("Undone: Move 'Write the launch announcement' (T-1): Backlog -> Done.");
    await nextMoment();
    await takeBack.own("redo");
    expect(columnOf("T-1")).toBe("done");
    expect(announcer.getState().sentence).toBe("Redone: Move 'Write the launch announcement' (T-1): Backlog -> Done.");
  });

  it("is said not to be there", async () => {
    const { takeBack, announcer } = await open();
    await takeBack.own("undo");
    expect(announcer.getState().sentence).toBe("You have nothing to undo.");
  });
});
