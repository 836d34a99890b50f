import { defineState, type Log, memoryLog, openThread } from "@opstate/core";
import type { UndoTarget } from "@opstate/core/thread";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, bob, defineTally, robot, steady, tally, elsewhere } from "../tally.ts";

const open = (log: Log = memoryLog()) => openThread({ definition: tally, log: elsewhere(log), threadId: "t" });
const name = (name: string) => ({ type: "name", name }) as const;
const unname = (name: string) => ({ type: "unname", name }) as const;

describe("undo", () => {
  it("undoes a run of an agent and keeps what a user did in between", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", ...steady() });
    await thread.dispatch(name("before"), { actor: ada });
    await thread.dispatch({ type: "add", by: 50 }, { actor: robot, runId: "r1", id: "a" });
    await thread.dispatch(name("kept"), { actor: ada });
    await thread.dispatch(name("agent's"), { actor: robot, runId: "r1", id: "b" });
    const verdict = await thread.undo({ runId: "r1" }, { actor: ada, id: "u", runId: "r2" });
    expect(thread.getState()).toEqual({ count: 0, names: ["before", "kept"], size: 2 });
    expect(verdict).toMatchObject({
      accepted: true,
      version: 5,
      commit: { id: "u", actor: ada, runId: "r2", operation: { type: "$undo", versions: [2, 4] } },
    });
    const redone = await thread.undo({ ids: ["u"] }, { actor: ada });
    expect(thread.getState()).toEqual({ count: 50, names: ["before", "kept", "agent's"], size: 3 });
    expect(redone).toMatchObject({ version: 6, commit: { operation: { type: "$undo", versions: [5] } } });
  });

  it("refuses when later operations need what goes, and leaves them out when `onDependent` says so", async () => {
    const thread = await open();
    await thread.dispatch(name("x"), { actor: ada });
    await thread.dispatch(unname("x"), { actor: robot, id: "make" });
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    await thread.dispatch(name("x"), { actor: ada, id: "use" });
    const before = thread.getState();
    const refused = await thread.undo({ ids: ["make"] }, { actor: ada, id: "u" });
    expect(refused).toMatchObject({
      accepted: false,
      attempt: 1,
      version: 4,
      rejection: {
        code: "conflict",
        reason: "dependents",
        details: {
          dependents: ["use"],
          why: [
            {
              id: "use",
              version: 4,
              type: "name",
              code: "refused",
              reason: "name_taken",
              would: 'would be refused: "x" is on the list',
            },
          ],
        },
      },
    });
    expect(thread.getState()).toBe(before);
    expect(await thread.undo({ ids: ["make"] }, { actor: ada, id: "u" })).toMatchObject({ attempt: 2 });
    const dropped = await thread.undo({ ids: ["make"] }, { actor: ada, id: "u", onDependent: "drop" });
    expect(dropped).toMatchObject({
      version: 5,
      commit: { operation: { dropped: [4], versions: [2, 4] } },
    });
    expect(thread.getState()).toEqual({ count: 1, names: ["x"], size: 1 });
    expect(await thread.digest({ since: 4, for: robot })).toMatch(
      /^- user ada: took back 1 change and 1 change that needed them$/m,
    );
  });

  it("leaves an approval that changed nothing without effect, and says that it would do something", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await thread.dispatch({ type: "add", by: 5 }, { actor: ada });
    await thread.dispatch({ type: "reset" }, { actor: ada, id: "reset" });
    await thread.propose({ type: "reset" }, { actor: bob, id: "p" });
    expect(await thread.approve("p", { actor: ada })).toMatchObject({
      accepted: true,
      version: 4,
      commit: { patches: [] },
    });
    const undone = { accepted: true, version: 5, commit: { operation: { carried: [4] } } };
    expect(await thread.undo({ ids: ["reset"] }, { actor: ada, id: "undo" })).toMatchObject(undone);
    expect(thread.getState().count).toBe(5);
    // Nor does it have one later, on a line that is read from the log.
    await thread.dispatch({ type: "add", by: 2 }, { actor: ada, id: "two" });
    const again = await open(log);
    expect(await again.undo({ ids: ["two"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(again.getState().count).toBe(5);
    expect(await again.undo({ ids: ["undo"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(again.getState().count).toBe(0);
  });

  it("has one effect however often it is sent, also after a restart", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    const [first, second] = await Promise.all([1, 2].map(() => thread.undo({ ids: ["a"] }, { actor: ada, id: "u" })));
    expect(second).toEqual(first);
    expect(await (await open(log)).undo({ ids: ["a"] }, { actor: ada, id: "u" })).toEqual(first);
    expect(await thread.undo({ ids: ["a"], actor: ada }, { actor: ada, id: "u" })).toMatchObject({
      rejection: { code: "conflict", message: expect.stringMatching(/used for another operation/) },
    });
    // What is gone already stays gone, without another entry.
    expect(await thread.undo({ ids: ["a"] }, { actor: ada, id: "v" })).toEqual({ accepted: true, version: 2 });
    expect(thread.version).toBe(2);
  });

  it("is remembered when it changes nothing now: what it undid stays away", async () => {
    const thread = await open();
    await thread.dispatch(name("x"), { actor: robot, id: "1" });
    await thread.dispatch({ type: "$replace", value: { count: 3, names: [] } }, { actor: robot, id: "2" });
    expect(await thread.undo({ ids: ["1"] }, { actor: ada })).toMatchObject({
      accepted: true,
      version: 3,
      commit: { patches: [] },
    });
    await thread.undo({ ids: ["2"] }, { actor: ada });
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
  });

  it("lets every actor undo its own work, and others' work those who may", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    await thread.dispatch({ type: "add", by: 2 }, { actor: robot, id: "r" });
    const refused = await thread.undo({ ids: ["a"] }, { actor: robot });
    expect(refused).toMatchObject({ rejection: { code: "forbidden", details: { version: 1, actor: ada } } });
    expect(await thread.undo({ ids: ["a", "r"] }, { actor: robot })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.undo({ actor: ada }, { actor: bob, allows: () => false })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.undo({ ids: ["r"] }, { actor: robot, id: "u" })).toMatchObject({ accepted: true });
    expect(await thread.undo({ ids: ["u"] }, { actor: { kind: "agent", id: "other" } })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    expect(await thread.undo({ ids: ["a"] }, { actor: robot, allows: (right) => right === "undo" })).toMatchObject({
      accepted: true,
    });
    expect(await thread.undo({ actor: robot }, { actor: bob })).toMatchObject({ accepted: true });
    expect(thread.getState().count).toBe(1);
    // It is a call of its own: no one gets around it with a payload.
    expect(await thread.submit({ type: "$undo", versions: [1] }, { actor: robot })).toMatchObject({
      rejection: { code: "unknown_operation" },
    });
  });

  it("reads an id as the sender's own, and as any actor's when the sender has none such", async () => {
    const thread = await open();
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "1" });
    await thread.dispatch({ type: "add", by: 10 }, { actor: robot, id: "1" });
    await thread.undo({ ids: ["1"] }, { actor: ada });
    expect(thread.getState().count).toBe(10);
    await thread.undo({ ids: ["1"], actor: robot }, { actor: ada });
    expect(thread.getState().count).toBe(0);
    expect(await thread.undo({ ids: ["2", "1"] }, { actor: ada })).toMatchObject({
      rejection: { code: "conflict", reason: "unknown_id", details: { missing: ["2"] } },
    });
  });

  it("keeps what an actor did then that today's permissions would refuse, as it was done", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    await thread.dispatch({ type: "reset" }, { actor: ada });
    await thread.dispatch(name("x"), { actor: ada });
    const strict = defineState({
      name: "tally",
      schema: z.object({ count: z.int(), names: z.array(z.string()), size: z.int() }),
      initial: { count: 0, names: [], size: 0 },
      derive: { "/size": (state) => state.names.length },
      operations: {
        add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) },
        reset: { input: z.object({}), allow: [], apply: (draft) => void (draft.count = 0) },
        name: {
          input: z.object({ name: z.string() }),
          approve: ["user"],
          apply: (draft, { name }, { actor }) => void draft.names.push(`${name} by ${actor?.id}`),
        },
      },
    });
    const again = await openThread({ definition: strict, log: elsewhere(log), threadId: "t" });
    await again.undo({ ids: ["a"] }, { actor: bob });
    // Today's code would sign the name. What was done stays what it was.
    expect(again.getState()).toEqual({ count: 0, names: ["x"], size: 1 });
  });

  it("keeps what an operation did that no longer exists, on the same things", async () => {
    const log = memoryLog();
    const old = await open(log);
    await old.dispatch({ type: "add", by: 1 }, { actor: robot, id: "add" });
    await old.dispatch({ count: 1, names: ["a", "b", "c"], size: 3 }, { actor: robot, id: "abc" });
    await old.dispatch({ count: 1, names: ["b", "c", "d"], size: 3 }, { actor: robot, id: "bcd" });
    await old.dispatch(unname("c"), { actor: ada, id: "unname" });
    const without = defineState({
      name: "tally",
      schema: z.object({ count: z.int(), names: z.array(z.string()), size: z.int() }),
      initial: { count: 0, names: [], size: 0 },
      derive: { "/size": (state) => state.names.length },
      operations: {},
    });
    const thread = await openThread({ definition: without, log: elsewhere(log), threadId: "t" });
    expect(await thread.undo({ ids: ["add"] }, { actor: ada })).toMatchObject({ accepted: true });
    // The replacements changed the names. That they repeated the count is no change.
    expect(thread.getState()).toEqual({ count: 0, names: ["b", "d"], size: 2 });
    // The patch that removed "c" would remove "b" by its index.
    expect(await thread.undo({ ids: ["bcd"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ count: 0, names: ["a", "b"], size: 2 });
  });

  it("does not go beyond a migration", async () => {
    const log = memoryLog();
    const old = await open(log);
    await old.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    const changed = defineState({
      name: "tally",
      version: 2,
      schema: z.object({ count: z.int(), names: z.array(z.string()) }),
      initial: { count: 0, names: [] },
      operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
    });
    const thread = await openThread({ definition: changed, log: elsewhere(log), threadId: "t" });
    await thread.dispatch({ type: "add", by: 5 }, { actor: ada, id: "b" });
    expect(await thread.undo({ ids: ["a"] }, { actor: ada })).toMatchObject({
      rejection: { code: "conflict", reason: "migrated", message: expect.stringMatching(/migrated .* at version 2/) },
    });
    expect(await thread.undo({ ids: ["b"] }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState()).toEqual({ count: 1, names: [] });
  });

  it("goes on across a newer version of the definition that changes no state", async () => {
    const log = memoryLog();
    const old = await open(log);
    await old.dispatch(name("x"), { actor: ada, id: "x" });
    await old.dispatch({ type: "add", by: 2 }, { actor: ada });
    const thread = await openThread({ definition: defineTally(2), log: elsewhere(log), threadId: "t" });
    expect(await thread.undo({ ids: ["x"] }, { actor: ada })).toMatchObject({
      accepted: true,
      commit: { definitionVersion: 2 },
    });
    expect(thread.getState()).toEqual({ count: 2, names: [], size: 0 });
  });

  it("says where the history ends when compaction removed what it needs", async () => {
    const whole = memoryLog();
    const first = await open(whole);
    for (let by = 1; by <= 8; by++)
      await first.dispatch({ type: "add", by }, { actor: by % 2 ? ada : robot, id: `${by}`, runId: `run ${by}` });
    expect(await first.compact({ before: 5 })).toBe(4);
    const thread = await open(whole);
    const targets: UndoTarget[] = [{ ids: ["3"] }, { ids: ["nope"] }, { runId: "run 6" }, { actor: ada, since: 2 }];
    for (const target of targets) {
      expect(await thread.undo(target, { actor: ada })).toMatchObject({
        rejection: {
          code: "conflict",
          reason: "compacted",
          message: expect.stringMatching(/nothing up to version 4/),
          details: { floor: 4 },
        },
      });
    }
    await thread.undo({ actor: ada, since: 4 }, { actor: ada });
    expect(thread.getState().count).toBe(36 - 5 - 7);
    await thread.undo({ ids: ["6"] }, { actor: ada });
    expect(thread.getState().count).toBe(36 - 5 - 7 - 6);
  });

  it("reads on over several pages to what it needs, above the floor", async () => {
    const whole = memoryLog();
    const first = await open(whole);
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        first.dispatch({ type: "add", by: 1 }, { actor: ada, id: `${index + 1}` }),
      ),
    );
    await first.compact({ keep: 80 });
    const thread = await open(whole);
    expect(await thread.undo({ ids: ["21"] }, { actor: bob })).toMatchObject({ accepted: true });
    expect(await thread.undo({ ids: ["20"] }, { actor: bob })).toMatchObject({
      rejection: { reason: "compacted", details: { floor: 20 } },
    });
    expect(thread.getState().count).toBe(99);
  });

  it("reads no more than lies since the earliest that goes", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await Promise.all(
      Array.from({ length: 3_000 }, (_, index) =>
        thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: `${index}` }),
      ),
    );
    let read = 0;
    const counted: Log = {
      ...log,
      async read(threadId, range) {
        const commits = await log.read(threadId, range);
        read += commits.length;
        return commits;
      },
      snapshotAt: () => expect.unreachable("no snapshot is needed"),
    };
    const again = await open(counted);
    read = 0;
    await again.undo({ ids: ["2990"] }, { actor: ada });
    expect(again.getState().count).toBe(2_999);
    expect(read).toBeLessThan(150);
  });

  it("of a run reads what the run did and what came after it, however long the history is", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await Promise.all(
      Array.from({ length: 2_000 }, (_, index) =>
        thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: `${index}` }),
      ),
    );
    await thread.dispatch({ type: "add", by: 5 }, { actor: robot, runId: "r" });
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    let read = 0;
    const again = await open({
      ...log,
      async read(threadId, range) {
        const commits = await log.read(threadId, range);
        read += commits.length;
        return commits;
      },
    });
    read = 0;
    await again.undo({ runId: "r" }, { actor: ada });
    expect(again.getState().count).toBe(2_001);
    await again.undo({ actor: robot }, { actor: ada });
    expect(read).toBeLessThan(150);
  });

  it("of a run that begins at the floor says where the history ends, one version later it undoes it", async () => {
    const log = memoryLog();
    const thread = await open(log);
    for (let by = 1; by <= 4; by++) await thread.dispatch({ type: "add", by }, { actor: robot, runId: `run ${by}` });
    for (let by = 5; by <= 6; by++) await thread.dispatch({ type: "add", by }, { actor: robot, runId: "last" });
    expect(await thread.compact({ before: 6 })).toBe(5);
    // Version 5 belonged to the run. What is left of it is not the run.
    expect(await thread.undo({ runId: "last" }, { actor: ada })).toMatchObject({
      rejection: { reason: "compacted", details: { floor: 5 } },
    });
    expect(await thread.undo({ runId: "last", since: 4 }, { actor: ada })).toMatchObject({
      rejection: { reason: "compacted", details: { floor: 5 } },
    });
    expect(thread.getState().count).toBe(21);
    expect(await thread.undo({ runId: "last", since: 5 }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.getState().count).toBe(15);
  });

  it("does not do again on a state that today's definition refuses, though nothing was migrated", async () => {
    const define = (version: number, most: number) =>
      defineState({
        name: "limited",
        version,
        schema: z.object({ count: z.int().max(most), title: z.string() }),
        initial: { count: 0, title: "" },
        operations: {
          set: { input: z.object({ to: z.int() }), apply: (draft, { to }) => void (draft.count = to) },
          rename: { input: z.object({ title: z.string() }), apply: (draft, { title }) => void (draft.title = title) },
        },
      });
    const log = memoryLog();
    const old = await openThread({ definition: define(1, 100), log, threadId: "t" });
    await old.dispatch({ type: "set", to: 50 }, { actor: ada });
    await old.dispatch({ type: "rename", title: "x" }, { actor: ada, id: "x" });
    await old.dispatch({ type: "set", to: 5 }, { actor: ada });
    const thread = await openThread({ definition: define(2, 10), log: elsewhere(log), threadId: "t" });
    expect(await thread.undo({ ids: ["x"] }, { actor: ada })).toMatchObject({
      rejection: { code: "invalid_state", message: expect.stringContaining("version 1") },
    });
    expect(thread.getState()).toEqual({ count: 5, title: "x" });
  });

  it("is judged again when another writer was first", async () => {
    const log = memoryLog();
    const [mine, theirs] = [await open(log), await open(log)];
    await mine.dispatch(name("x"), { actor: ada });
    await mine.dispatch(unname("x"), { actor: ada, id: "x" });
    await theirs.dispatch(name("x"), { actor: bob, id: "use" });
    expect(await mine.undo({ ids: ["x"] }, { actor: ada })).toMatchObject({
      version: 3,
      rejection: { reason: "dependents", details: { dependents: ["use"] } },
    });
    await theirs.dispatch({ type: "add", by: 7 }, { actor: bob });
    expect(await mine.undo({ ids: ["x"] }, { actor: ada, onDependent: "drop" })).toMatchObject({
      accepted: true,
      version: 5,
    });
    expect(mine.getState()).toEqual({ count: 7, names: ["x"], size: 1 });
  });

  it.each<[unknown, object, string]>([
    [{}, {}, "invalid_operation "],
    [null, {}, "invalid_operation "],
    [{ ids: [] }, {}, "invalid_operation /ids"],
    [{ ids: "a" }, {}, "invalid_operation /ids"],
    [{ runId: 1 }, {}, "invalid_operation /runId"],
    [{ actor: "ada" }, {}, "invalid_operation /actor"],
    [{ actor: ada, since: -1 }, {}, "invalid_operation /since"],
    [{ actor: ada }, { onDependent: "maybe" }, "invalid_operation /onDependent"],
    [{ actor: ada }, { actor: undefined }, "forbidden /actor"],
    [{ actor: ada }, { expectedVersion: 3 }, "conflict /expectedVersion"],
  ])("says what is wrong with a request for %j and %j", async (target, options, what) => {
    const thread = await open();
    const verdict = await thread.undo(target as UndoTarget, { actor: ada, ...options });
    expect(verdict.accepted ? "accepted" : `${verdict.rejection.code} ${verdict.rejection.path ?? ""}`).toBe(what);
    expect(thread.version).toBe(0);
  });

  it("of nothing is accepted, and commits nothing", async () => {
    const thread = await open();
    expect(await thread.undo({ actor: ada }, { actor: ada })).toMatchObject({ accepted: true });
    expect(thread.version).toBe(0);
  });
});
