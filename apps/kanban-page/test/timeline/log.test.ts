import type { HistoryOptions } from "@opstate/client";
import type { HistoryRange } from "@opstate/core/thread";
import { board, describe as inWords } from "@opstate/kanban-domain";
import { describe, expect, it } from "vitest";
import { groupRuns } from "../../src/timeline/group-runs.ts";
import { commitEntry } from "../../src/timeline/log-entry.ts";
import { LOG, logOf, readBackTo } from "../../src/timeline/log.ts";
import { emptyLogText, entryText } from "../../src/timeline/entry-words.ts";
import { ada, agent, openBoard, pageOf } from "../board-thread.ts";

type BoardThread = Awaited<ReturnType<typeof openBoard>>;

/** The log of a page of its own, which is open until `close`. */
function watch(thread: BoardThread, options: HistoryOptions = LOG) {
  const page = pageOf(thread);
  const history = page.history.with(options);
  const close = history.subscribe(() => undefined);
  return { getState: () => logOf(history.getState(), page.getState()), history, close };
}

type Log = ReturnType<typeof watch>;
const lineTexts = (log: Log) =>
  log.getState().entries.map(({ version, sentence, reason }) => `${version} ${sentence} ${reason}`);
const ready = ({ history }: Log) => expect.poll(() => history.getState().loading).toBe(false);

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
  it("describes each commit with the board as it was before it, read live, after a reload, and page by page", async () => {
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
    const paged = watch(thread, { ...LOG, pageSize: 2 });
    await ready(paged);
    await readBackTo(1, paged.history);
    for (const log of [live, reloaded, paged]) {
      const { entries, lastChanges } = log.getState();
      const commits = entries.filter(({ accepted }) => accepted);
      expect(commits.map(({ version, sentence }) => `${version} ${sentence}`).toReversed()).toEqual(expected);
      expect(log.history.getState().hasOlder).toBe(false);
      expect(lastChanges.get("T-42")?.sentence).toContain("-> Done");
      log.close();
    }
  });

  it("describes what was refused with the board as it is, and why", async () => {
    const thread = await openBoard();
    await thread.dispatch(board.op.move({ cardId: "T-15", toColumn: "nowhere" }), { actor: agent });
    const log = watch(thread);
    await ready(log);
    expect(lineTexts(log)[0]).toMatch(
      /^1 Move 'Keep edits made while offline' \(T-15\): In Progress -> nowhere .*no column/i,
    );
    log.close();
  });

  it("describes a commit of an earlier release by its operation alone", () => {
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

  describe("of a run and an edit that were undone", () => {
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

    it("says what was undone", async () => {
      const { log } = await takenBack();
      expect(told(log, 2)).toEqual({
        words: [
          "Undo: Change 'Search over all boards' (T-8): set its priority to 4",
          "Undo: a run of the agent, 2 changes",
        ],
        undone: new Set([2, 3, 4]),
      });
      log.close();
    });

    it("says which cards that changed, also where only a part of the log was read", async () => {
      const { thread, log } = await takenBack();
      const cards = ({ getState }: Log) => getState().entries.map(({ cardIds }) => cardIds);
      expect(cards(log).slice(0, 2)).toEqual([["T-8"], ["T-42"]]);
      const paged = watch(thread, { ...LOG, pageSize: 1 });
      await ready(paged);
      await readBackTo(2, paged.history);
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
    let isReachable = false;
    const history = (range?: HistoryRange) =>
      isReachable ? thread.history(range) : Promise.reject(new Error("offline"));
    const log = watch({ ...thread, history });
    await expect.poll(() => emptyLogText(log.history.getState())).toContain("cannot be reached");
    isReachable = true;
    await thread.dispatch(script[0], { actor: agent });
    await expect.poll(() => log.getState().entries.map(({ version }) => version)).toEqual([2, 1]);
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
