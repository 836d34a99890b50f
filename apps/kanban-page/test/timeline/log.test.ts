import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { accessThread } from "@opstate/core/feeds";
import { board, describe as inWords, sampleBoard } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { groupRuns } from "../../src/timeline/group-runs.ts";
import { commitEntry } from "../../src/timeline/log-entry.ts";
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
  it("tells each commit with the board as it was before it, read live, after a reload, and page by page", async () => {
    const thread = await openBoard();
    const live = watch(thread);
    await ready(live);
    const expected: string[] = ["1 Replace the board: 4 columns, 13 cards"];
    for (const operation of script) {
      const sentence = inWords(operation, thread.getState());
      const verdict = await thread.dispatch(operation, { actor: agent });
      if (verdict.accepted) expected.push(`${verdict.version} ${sentence}`);
    }
    await expect.poll(() => live.getState().entries).toHaveLength(script.length + 1);
    const reloaded = watch(thread);
    await ready(reloaded);
    const paged = watch(thread, {}, { pageSize: 2 });
    await ready(paged);
    await paged.find(1);
    for (const log of [live, reloaded, paged]) {
      const { entries, hasOlder, lastChanges } = log.getState();
      const commits = entries.filter(({ accepted }) => accepted);
      expect(commits.map(({ version, sentence }) => `${version} ${sentence}`).toReversed()).toEqual(expected);
      expect(hasOlder).toBe(false);
      expect(lastChanges.get("T-42")?.sentence).toContain("-> Done");
      log.close();
    }
  });

  it("tells what was refused with the board as it is, and why", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.move({ cardId: "T-15", toColumn: "nowhere" }), { actor: agent });
    const log = watch(thread);
    await ready(log);
    expect(lineTexts(log)[0]).toMatch(/^1 Move T-15: In Progress -> nowhere .*no column/i);
    log.close();
  });

  it("tells a commit of an earlier release by its operation alone", () => {
    const commit = {
      version: 1,
      id: "c",
      operation: board.op.move({ cardId: "T-1", fromColumn: "backlog", toColumn: "done" }),
      actor: ada,
      at: "2026-01-01T00:00:00.000Z",
      patches: [],
      inverse: [],
      definitionVersion: 1,
    };
    expect(commitEntry(commit)).toMatchObject({ sentence: "Move T-1: backlog -> done", cardIds: ["T-1"] });
  });

  describe("of a run and an edit that were taken back", () => {
    async function takenBack() {
      const thread = await openBoard();
      const log = watch(thread);
      await ready(log);
      for (const operation of script.slice(0, 2)) await thread.dispatch(operation, { actor: agent, runId: "run" });
      await thread.dispatch(board.op.editCard({ cardId: "T-8", priority: 4 }), { actor: ada, id: "mine" });
      await thread.undo({ runId: "run" }, { actor: ada, id: "undo" });
      await thread.undo({ ids: ["mine"] }, { actor: ada });
      await expect.poll(() => log.getState().entries[0]?.version).toBe(6);
      return { thread, log };
    }

    /** The newest entries in words, and by which undo what is undone. */
    const told = (log: Log, count: number) => {
      const { entries, undone } = log.getState();
      return {
        words: entries.slice(0, count).map((entry) => entryText(entry, entries)),
        undone: new Set(undone.keys()),
      };
    };

    it("says what was taken back", async () => {
      const { log } = await takenBack();
      expect(told(log, 2)).toEqual({
        words: ["Undo: Change T-8: set its priority to 4", "Undo: a run of the agent, 2 changes"],
        undone: new Set([2, 3, 4]),
      });
      log.close();
    });

    it("says which cards that changed, also where only a part of the log was read", async () => {
      const { thread, log } = await takenBack();
      const cards = ({ getState }: Log) => getState().entries.map(({ cardIds }) => cardIds);
      expect(cards(log).slice(0, 2)).toEqual([["T-8"], ["T-42"]]);
      const paged = watch(thread, {}, { pageSize: 1 });
      await ready(paged);
      await paged.find(2);
      expect(cards(paged)).toEqual(cards(log).slice(0, 5));
      for (const each of [log, paged]) each.close();
    });

    it("says what was done again", async () => {
      const { thread, log } = await takenBack();
      await thread.undo({ ids: ["undo"] }, { actor: ada });
      await expect.poll(() => log.getState().entries[0]?.version).toBe(7);
      expect(told(log, 1)).toEqual({ words: ["Redo: a run of the agent, 2 changes"], undone: new Set([4, 5]) });
      log.close();
    });
  });

  it("says that the log cannot be reached, and reads it when it can", async () => {
    const thread = await openBoard();
    let reachable = false;
    const access = accessThread(thread, ada);
    const log = watch(thread, {
      history: (range) => (reachable ? access.history(range) : Promise.reject(new Error("offline"))),
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
