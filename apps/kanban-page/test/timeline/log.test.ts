import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { board, describe as inWords, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { groupRuns } from "../../src/timeline/group-runs.ts";
import { createLog, type LogSource } from "../../src/timeline/log.ts";
import { entryText } from "../../src/timeline/entry-words.ts";

const ada = { kind: "user", id: "ada" };
const agent = { kind: "agent", id: "agent" };

async function openBoard() {
  const thread = await openThread({ definition: board, log: memoryLog(), threadId: "demo" });
  await thread.dispatch({ type: "$replace", value: sampleBoard }, { actor: { kind: "system", id: "demo" } });
  return thread;
}

type BoardThread = Awaited<ReturnType<typeof openBoard>>;

/** The log of a page with its own replica. */
function watch(thread: BoardThread, change: Partial<LogSource> = {}, options: { pageSize?: number } = {}) {
  const replica = createReplica({ definition: board, transport: threadTransport(thread, { actor: ada }) });
  return createLog(
    {
      ...replica,
      ...accessThread(thread, ada),
      onCommit: replica.onCommit,
      onRejection: replica.onRejection,
      ...change,
    },
    options,
  );
}

type Log = ReturnType<typeof watch>;
const lineTexts = (log: Log) =>
  log.getState().entries.map(({ version, sentence, reason }) => `${version} ${sentence} ${reason}`);
const ready = (log: Log) => expect.poll(() => log.getState().status).toBe("ready");

/**
 * Operations whose sentences depend on the state before them: what is in Done now was in Backlog.
 */
const script = [
  board.op.move({ cardId: "T-42", toColumn: "in-progress" }),
  board.op.move({ cardId: "T-42", toColumn: "done", position: 0 }),
  board.op.renameColumn({ columnId: "in-progress", title: "Doing" }),
  board.op.move({ cardId: "T-15", toColumn: "nowhere" }),
  board.op.remove({ cardId: "T-15" }),
  board.op.move({ cardId: "T-15", toColumn: "done" }),
  board.op.addCard({ columnId: "backlog", title: "New" }),
  board.op.editCard({ cardId: "T-1", priority: 4 }),
] as const;

describe("the log in words", () => {
  it("tells each operation with the board as it was before it, read live, after a reload, and page by page", async () => {
    const thread = await openBoard();
    const live = watch(thread);
    await ready(live);
    const expected: string[] = ["Replace the board: 4 columns, 13 cards"];
    for (const operation of script) {
      expected.push(inWords(operation, thread.getState()));
      await thread.dispatch(operation, { actor: agent });
    }
    await expect.poll(() => live.getState().entries).toHaveLength(expected.length);
    const reloaded = watch(thread);
    await ready(reloaded);
    const paged = watch(thread, {}, { pageSize: 2 });
    await ready(paged);
    expect((await paged.find(1))?.sentence).toBe(expected[0]);
    for (const log of [live, reloaded, paged]) {
      expect(
        log
          .getState()
          .entries.map(({ sentence }) => sentence)
          .toSorted(),
      ).toEqual(expected.toSorted());
      expect(lineTexts(log)).toEqual(lineTexts(live));
      expect(log.getState().hasOlder).toBe(false);
      expect(log.getState().lastChanges.get("T-42")?.sentence).toContain("-> Done");
      log.close();
    }
  });

  it("says what was taken back and by what, and which cards that changed", async () => {
    const thread = await openBoard();
    const log = watch(thread);
    await ready(log);
    for (const operation of script.slice(0, 2)) await thread.dispatch(operation, { actor: agent, runId: "run" });
    await thread.dispatch(board.op.editCard({ cardId: "T-8", priority: 4 }), { actor: ada, id: "mine" });
    await thread.undo({ runId: "run" }, { actor: ada, id: "undo" });
    await thread.undo({ ids: ["mine"] }, { actor: ada });
    await expect.poll(() => log.getState().entries[0]?.version).toBe(6);
    const { entries, undone } = log.getState();
    expect(new Set(undone.keys())).toEqual(new Set([2, 3, 4]));
    expect(entries.slice(0, 2).map((entry) => entryText(entry, entries))).toEqual([
      "Undo: Change T-8: set its priority to 4",
      "Undo: a run of the agent, 2 changes",
    ]);
    expect(entries.slice(0, 2).map(({ cardIds }) => cardIds)).toEqual([["T-8"], ["T-42"]]);
    await thread.undo({ ids: ["undo"] }, { actor: ada });
    await expect.poll(() => log.getState().entries[0]?.version).toBe(7);
    expect(new Set(log.getState().undone.keys())).toEqual(new Set([4, 5]));
    const now = log.getState().entries;
    expect(now.slice(0, 1).map((entry) => entryText(entry, now))).toEqual(["Redo: a run of the agent, 2 changes"]);
    log.close();
  });

  it("says that the log cannot be reached, and reads it when it can", async () => {
    const thread = await openBoard();
    let reachable = false;
    const access = accessThread(thread, ada);
    const log = watch(thread, {
      stateAt: (version) => (reachable ? access.stateAt(version) : Promise.reject(new Error("offline"))),
    });
    await expect.poll(() => log.getState().status).toBe("unreachable");
    reachable = true;
    await thread.dispatch(script[0], { actor: agent });
    await ready(log);
    expect(log.getState().entries.map(({ version }) => version)).toEqual([2, 1]);
    log.close();
  });

  it("brackets a run with what others did in the middle of it", async () => {
    const thread = await openBoard();
    await thread.dispatch(script[0], { actor: agent, runId: "run" });
    await thread.dispatch(script[7], { actor: ada });
    await thread.dispatch(script[1], { actor: agent, runId: "run" });
    await thread.dispatch(script[3], { actor: agent, runId: "run" });
    await thread.dispatch(script[4], { actor: ada });
    const log = watch(thread);
    await ready(log);
    const items = groupRuns(log.getState().entries);
    expect(items.map(({ kind }) => kind)).toEqual(["entry", "run", "entry"]);
    const run = items[1]?.kind === "run" ? items[1].run : undefined;
    expect(run?.entries.map(({ actor }) => actor.kind)).toEqual(["agent", "agent", "user", "agent"]);
    expect(run?.edits.map(({ version }) => version)).toEqual([4, 2]);
    log.close();
  });
});
