import { defineState, memoryLog, openThread, OpstateError } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, defineTally, robot, spied, steady, tally, elsewhere } from "./tally.ts";

const rejected = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("the promise should reject"),
    (error: unknown) => error as OpstateError,
  );

describe("openThread", () => {
  it("gives onError what a listener throws, calls the other listeners, and goes on", async () => {
    const errors: unknown[] = [];
    const thread = await openThread({
      definition: tally,
      log: memoryLog(),
      threadId: "t",
      onError: (error) => errors.push(error),
    });
    const calls: string[] = [];
    thread.subscribe(() => {
      throw new Error("subscriber");
    });
    thread.onCommit(() => {
      throw new Error("commit");
    });
    thread.onRejection(() => {
      throw new Error("rejection");
    });
    thread.onCommit(({ id }) => calls.push(id));
    thread.onRejection(({ id }) => calls.push(id));
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada, id: "a" });
    await thread.dispatch({ type: "add", by: 101 }, { actor: ada, id: "b" });
    expect(errors.map(String)).toEqual(["Error: subscriber", "Error: commit", "Error: rejection"]);
    expect(calls).toEqual(["a", "b"]);
  });

  async function besideAnotherWriter() {
    const log = memoryLog();
    const watchers = new Set<(head: number) => void>();
    const watched = {
      ...log,
      watch(_: string, onHead: (head: number) => void) {
        watchers.add(onHead);
        return () => void watchers.delete(onHead);
      },
    };
    const here = await openThread({ definition: tally, log: watched, threadId: "t" });
    const there = await openThread({ definition: tally, log, threadId: "t" });
    return { here, there, watchers };
  }

  it("follows another writer when its log announces a head", async () => {
    const { here, there, watchers } = await besideAnotherWriter();
    const caughtUp = new Promise<void>((resolve) => here.onCommit(({ version }) => version === 2 && resolve()));
    await there.dispatch({ type: "add", by: 1 }, { actor: ada });
    await there.dispatch({ type: "add", by: 2 }, { actor: ada });
    for (const announce of watchers) for (const head of [2, 1, 99]) announce(head);
    await caughtUp;
    expect(here.getState()).toEqual(there.getState());
    expect(await here.dispatch({ type: "add", by: 3 }, { actor: robot })).toMatchObject({ accepted: true, version: 3 });
  });

  it("stops watching its log when it is closed", async () => {
    const { here, watchers } = await besideAnotherWriter();
    expect(watchers.size).toBe(1);
    await here.close();
    expect(watchers.size).toBe(0);
  });

  it("creates a thread with the definition's initial state as version 0", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    expect(thread).toMatchObject({ threadId: "t", definition: tally, version: 0 });
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
    expect(thread.getInitialState()).toBe(thread.getState());
  });

  it("lists a new thread in its log", async () => {
    const log = memoryLog();
    const thread = await openThread({ definition: tally, log, threadId: "t", ...steady() });
    expect(await log.list()).toEqual([
      {
        threadId: "t",
        definition: "tally",
        version: 0,
        floor: 0,
        createdAt: "2026-01-01T00:00:01.000Z",
        incarnation: thread.incarnation,
      },
    ]);
  });

  it("loads the newest snapshot and applies the commits after it", async () => {
    const log = spied(memoryLog());
    const first = await openThread({ definition: tally, log, threadId: "t", snapshotEvery: 4 });
    for (let by = 1; by <= 10; by++) await first.dispatch({ type: "add", by }, { actor: ada });
    await first.dispatch({ type: "name", name: "x" }, { actor: robot });
    await first.close();
    expect(log.calls.filter((method) => method === "saveSnapshot")).toHaveLength(2);
    expect((await log.load("t"))?.snapshot).toEqual({
      version: 8,
      state: { count: 36, names: [], size: 0 },
      definitionVersion: 1,
    });
    const second = await openThread({ definition: tally, log, threadId: "t" });
    expect(second.version).toBe(11);
    expect(second.getState()).toEqual({ count: 55, names: ["x"], size: 1 });
    expect(second.getState()).toEqual(first.getState());
  });

  it("works when snapshots cannot be stored", async () => {
    const log = spied(memoryLog(), (method) => {
      if (method === "saveSnapshot") throw new Error("disk full");
    });
    const thread = await openThread({ definition: tally, log, threadId: "t", snapshotEvery: 1 });
    for (let by = 1; by <= 3; by++)
      expect((await thread.dispatch({ type: "add", by }, { actor: ada })).accepted).toBe(true);
    await thread.close();
    expect((await openThread({ definition: tally, log, threadId: "t" })).getState().count).toBe(6);
  });

  it("creates a thread once when it is opened several times at once", async () => {
    const log = memoryLog();
    const threads = await Promise.all(
      [1, 2, 3].map(() => openThread({ definition: tally, log: elsewhere(log), threadId: "t" })),
    );
    expect(threads.map(({ version }) => version)).toEqual([0, 0, 0]);
    expect(await log.list()).toHaveLength(1);
  });

  it("refuses a thread of another definition", async () => {
    const log = memoryLog();
    await openThread({ definition: tally, log, threadId: "t" });
    const other = defineState({
      name: "other",
      schema: z.object({ a: z.string() }),
      initial: { a: "" },
      operations: {},
    });
    const error = await rejected(openThread({ definition: other, log: elsewhere(log), threadId: "t" }));
    expect(error).toBeInstanceOf(OpstateError);
    expect(error.code).toBe("definition_mismatch");
    expect(error.message).toMatch(/"t" holds a "tally", not a "other"/);
  });

  it("refuses a thread that a newer version of the definition wrote", async () => {
    const log = memoryLog();
    const newer = await openThread({ definition: defineTally(2), log, threadId: "t" });
    await newer.dispatch({ type: "add", by: 1 }, { actor: ada });
    const error = await rejected(openThread({ definition: tally, log: elsewhere(log), threadId: "t" }));
    expect(error.code).toBe("definition_mismatch");
    expect(error.message).toMatch(/version 2 .* this code has version 1/);
  });

  /** A log that `tally` wrote a name to, and the definition that was deployed since. */
  async function withChangedDefinition() {
    const log = memoryLog();
    const old = await openThread({ definition: tally, log, threadId: "t" });
    await old.dispatch({ type: "name", name: "x" }, { actor: ada });
    const changed = defineState({
      name: "tally",
      version: 2,
      schema: z.object({ count: z.int(), names: z.array(z.string()), first: z.string() }),
      initial: { count: 0, names: [], first: "" },
      derive: { "/first": (state) => state.names[0] ?? "" },
      operations: {
        name: {
          input: z.object({ name: z.string() }),
          apply(draft, { name }) {
            draft.names.unshift(name);
          },
        },
      },
    });
    return { log, changed };
  }

  it("commits what a changed definition makes of a stored state", async () => {
    const { log, changed } = await withChangedDefinition();
    const thread = await openThread({ definition: changed, log: elsewhere(log), threadId: "t" });
    expect(thread.getState()).toEqual({ count: 0, names: ["x"], first: "x" });
    expect(thread.version).toBe(2);
    expect((await thread.history()).map((entry) => entry.kind === "commit" && entry.commit.operation.type)).toEqual([
      "name",
      "$migrate",
    ]);
  });

  it("makes that commit once, and replays what was before it as it was", async () => {
    const { log, changed } = await withChangedDefinition();
    const thread = await openThread({ definition: changed, log: elsewhere(log), threadId: "t" });
    await thread.dispatch({ type: "name", name: "y" }, { actor: ada });
    const again = await openThread({ definition: changed, log: elsewhere(log), threadId: "t" });
    expect(again.version).toBe(3);
    expect(again.getState()).toEqual({ count: 0, names: ["y", "x"], first: "y" });
    expect(await again.stateAt(1)).toEqual({ count: 0, names: ["x"], size: 1 });
  });

  /** A log with a count of 5, and a definition that allows 3 at most. */
  async function withStricterDefinition() {
    const log = memoryLog();
    const old = await openThread({ definition: tally, log, threadId: "t" });
    await old.dispatch({ type: "add", by: 5 }, { actor: ada });
    const strict = defineState({
      name: "tally",
      version: 2,
      schema: z.object({ count: z.int().max(3), names: z.array(z.string()), size: z.int() }),
      initial: { count: 0, names: [], size: 0 },
      operations: {
        add: {
          input: z.object({ by: z.int() }),
          apply(draft, { by }) {
            draft.count += by;
          },
        },
      },
    });
    return { log, strict };
  }

  it("shows a stored state that the definition refuses now, and refuses operations on it", async () => {
    const { log, strict } = await withStricterDefinition();
    const thread = await openThread({ definition: strict, log: elsewhere(log), threadId: "t" });
    expect(thread.getState()).toEqual({ count: 5, names: [], size: 0 });
    expect(await thread.dispatch({ type: "add", by: -4 }, { actor: ada })).toMatchObject({
      accepted: false,
      rejection: { code: "invalid_state" },
    });
  });

  it("accepts a replacement of a stored state that the definition refuses now", async () => {
    const { log, strict } = await withStricterDefinition();
    const thread = await openThread({ definition: strict, log: elsewhere(log), threadId: "t" });
    expect(await thread.dispatch({ count: 1, names: [], size: 0 }, { actor: robot })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect((await openThread({ definition: strict, log: elsewhere(log), threadId: "t" })).getState().count).toBe(1);
  });

  it("replays commits whose operation no longer exists", async () => {
    const log = memoryLog();
    const old = await openThread({ definition: tally, log, threadId: "t" });
    await old.dispatch({ type: "add", by: 5 }, { actor: ada });
    const without = defineState({
      name: "tally",
      schema: z.object({ count: z.int(), names: z.array(z.string()), size: z.int() }),
      initial: { count: 0, names: [], size: 0 },
      operations: {},
    });
    const thread = await openThread({ definition: without, log: elsewhere(log), threadId: "t" });
    expect(thread.getState()).toEqual({ count: 5, names: [], size: 0 });
    expect(thread.version).toBe(1);
  });

  it("rejects a corrupt log rather than showing a state that cannot be right", async () => {
    const log = memoryLog();
    await openThread({ definition: tally, log, threadId: "t" });
    const commit = {
      version: 1,
      id: "c",
      operation: { type: "add" },
      actor: ada,
      at: "",
      inverse: [],
      definitionVersion: 1,
    };
    const patches = [{ op: "remove", path: "/nothing" }] as const;
    await log.append("t", 0, [
      {
        receipt: { actor: ada, id: "c", hash: "", outcome: { accepted: true, version: 1 } },
        commit: { ...commit, patches },
      },
    ]);
    const error = await rejected(openThread({ definition: tally, log: elsewhere(log), threadId: "t" }));
    expect(error.code).toBe("corrupt_log");
    expect(error.message).toMatch(/version 1/);
  });

  it("finishes what was submitted before close", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const early = thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    await thread.close();
    expect(await early).toMatchObject({ accepted: true, version: 1 });
  });

  it("rejects what is called after close, and still has its state", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    await thread.dispatch({ type: "add", by: 1 }, { actor: ada });
    const closing = thread.close();
    const late = await rejected(thread.dispatch({ type: "add", by: 1 }, { actor: ada }));
    expect(late.code).toBe("closed");
    await closing;
    expect((await rejected(thread.history())).code).toBe("closed");
    expect(thread.getState().count).toBe(1);
  });
});
