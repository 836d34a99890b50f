// What the commit of an undo contains, however many commits it undoes, and that logs of earlier
// releases, which list every version and id, are read as they were written.

import { type Log, memoryLog, openThread } from "@opstate/core";
import { droppedVersions, isUndo, type UndoOperation, versionsIn } from "@opstate/core/log";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, tally } from "../tally.ts";

const open = (log: Log) => openThread({ definition: tally, log, threadId: "t" });
const add = (by: number) => ({ type: "add", by }) as const;
const name = (name: string) => ({ type: "name", name }) as const;
const unname = (name: string) => ({ type: "unname", name }) as const;

/** Stores undos as earlier releases did. */
function earlierLog(): Log {
  const log = memoryLog();
  const ids = new Map<number, string>();
  return {
    ...log,
    append(threadId, expected, entries, ...rest) {
      const stored = entries.map((entry) => {
        const { commit } = entry;
        if (commit === undefined) return entry;
        ids.set(commit.version, commit.id);
        return isUndo(commit.operation)
          ? { ...entry, commit: { ...commit, operation: listed(commit.operation) } }
          : entry;
      });
      return log.append(threadId, expected, stored, ...rest);
    },
  };

  function listed(operation: UndoOperation): UndoOperation {
    const dropped = [...versionsIn(droppedVersions(operation))];
    const selected = [...versionsIn(operation.versions)].filter((version) => !dropped.includes(version));
    const named = (versions: readonly number[]) => versions.map((version) => ids.get(version) ?? "");
    const old = { type: operation.type, ids: named(selected), versions: [...selected, ...dropped] };
    return dropped.length === 0 ? old : { ...old, dropped: named(dropped) };
  }
}

describe("the commit of an undo", () => {
  it("takes less than 32 KB beside its patches when it undoes 20,000 commits", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await Promise.all(
      Array.from({ length: 20_000 }, (_, at) =>
        thread.dispatch(add(at % 2 === 0 ? 2 : -1), { actor: robot, runId: "r" }),
      ),
    );
    const undone = await thread.undo({ runId: "r" }, { actor: ada, id: "u" });
    expect(undone).toMatchObject({
      version: 20_001,
      commit: { operation: { type: "$undo", versions: [[1, 20_000]] } },
    });
    expect(thread.getState().count).toBe(0);
    await thread.close();
    const [commit] = await log.read("t", { after: 20_000 });
    expect(JSON.stringify({ ...commit, patches: [], inverse: [] }).length).toBeLessThan(32 * 1_024);
  });

  it("is read again where others wrote between each two of what it undoes", async () => {
    const log = memoryLog();
    let thread = await open(log);
    for (let at = 0; at < 600; at += 1) {
      await thread.dispatch(add(at % 2 === 0 ? 2 : -1), { actor: robot, runId: "r" });
      await thread.dispatch(at % 2 === 0 ? name("x") : unname("x"), { actor: bob });
    }
    const before = thread.getState();
    await thread.undo({ runId: "r" }, { actor: ada, id: "u" });
    await thread.close();
    const [commit] = await log.read("t", { after: 1_200 });
    expect(commit?.operation).toMatchObject({ versions: [[1, expect.any(String)]] });
    thread = await open(log);
    expect(thread.getState().count).toBe(0);
    expect(await thread.digest({ since: 1_200, for: bob })).toMatch(/took back 600 changes$/m);
    await thread.undo({ ids: ["u"] }, { actor: ada });
    expect(thread.getState()).toEqual(before);
    await thread.close();
  });

  describe.each([
    ["as ranges", memoryLog],
    ["as earlier releases listed it", earlierLog],
  ])("stored %s", (_, makeLog) => {
    it("is undone and redone after a restart", async () => {
      const log = makeLog();
      let thread = await open(log);
      await thread.dispatch({ type: "$batch", operations: [name("x"), add(1)] }, { actor: bob });
      await thread.dispatch(unname("x"), { actor: robot, runId: "r" });
      await thread.dispatch(name("y"), { actor: robot, runId: "r" });
      await thread.dispatch(name("x"), { actor: ada, id: "use" });
      await thread.undo({ runId: "r" }, { actor: ada, id: "u", onDependent: "drop" });
      await thread.close();
      thread = await open(log);
      expect(await thread.digest({ since: 4, for: robot })).toMatch(
        /took back 2 changes and 1 change that needed them$/m,
      );
      const [entry] = await thread.history({ after: 4 });
      const operation = entry?.kind === "commit" ? entry.commit.operation : { type: "" };
      expect(isUndo(operation) && [...versionsIn(droppedVersions(operation))]).toEqual([4]);
      expect(isUndo(operation) && new Set(versionsIn(operation.versions))).toEqual(new Set([2, 3, 4]));
      await thread.undo({ ids: ["u"] }, { actor: ada, id: "redo" });
      expect(thread.getState()).toEqual({ count: 1, names: ["y", "x"], size: 2 });
      await thread.undo({ runId: "r" }, { actor: ada, onDependent: "drop" });
      expect(thread.getState()).toEqual({ count: 1, names: ["x"], size: 1 });
    });

    it("ends a proposal that it undoes", async () => {
      const log = makeLog();
      let thread = await open(log);
      await thread.propose({ type: "wipe" }, { actor: robot, id: "p" });
      await thread.dispatch(add(1), { actor: robot });
      await thread.undo({ actor: robot }, { actor: ada });
      await thread.close();
      thread = await open(log);
      expect(await thread.proposal("p")).toMatchObject({ status: "decided", how: "taken_back" });
      expect(await thread.proposals()).toEqual([]);
    });
  });
});
