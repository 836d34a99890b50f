// One submission after another: its verdict, its place in the order, what is stored and who is
// called.

import { type Commit, type Log, memoryLog, openThread, type Refusal } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, robot, spied, steady, tally, elsewhere } from "../tally.ts";

const add = (by: number) => ({ type: "add", by }) as const;

function open(log: Log = memoryLog(), stamps: Partial<ReturnType<typeof steady>> = {}) {
  return openThread({ definition: tally, log: elsewhere(log), threadId: "t", ...stamps });
}

describe("dispatch", () => {
  it("answers with the whole commit, stamped by the authority", async () => {
    const thread = await open(memoryLog(), steady());
    const verdict = await thread.dispatch(
      { type: "name", name: "x" },
      { actor: ada, id: "1", runId: "run", toolCallId: "call" },
    );
    const commit: Commit = {
      version: 1,
      id: "1",
      operation: { type: "name", name: "x" } as { type: string },
      actor: ada,
      at: "2026-01-01T00:00:02.000Z",
      runId: "run",
      toolCallId: "call",
      patches: expect.arrayContaining([{ op: "replace", path: "/size", value: 1 }]),
      inverse: expect.arrayContaining([{ op: "remove", path: "/names/0" }]),
      definitionVersion: 1,
    };
    expect(verdict).toEqual({ accepted: true, version: 1, commit });
    expect(await thread.history()).toEqual([{ kind: "commit", commit }]);
    expect(thread.getState()).toEqual({ count: 0, names: ["x"], size: 1 });
  });

  it("judges submissions in call order and stores those in the queue as one batch", async () => {
    const log = spied(memoryLog());
    const thread = await open(log);
    log.calls.length = 0;
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => thread.dispatch(add(index), { actor: index % 2 ? ada : robot })),
    );
    expect(verdicts.map(({ version }) => version)).toEqual([0, ...Array.from({ length: 19 }, (_, index) => index + 1)]);
    expect(log.calls).toEqual(["append"]);
    expect(
      (await thread.history()).map(
        (entry) => entry.kind === "commit" && "by" in entry.commit.operation && entry.commit.operation.by,
      ),
    ).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
  });

  it("judges each submission of a batch against the state that those before it leave", async () => {
    const thread = await open();
    const verdicts = await Promise.all([
      thread.dispatch({ type: "name", name: "T-15" }, { actor: ada }),
      thread.dispatch({ type: "unname", name: "T-15" }, { actor: robot }),
      thread.dispatch({ type: "unname", name: "T-15" }, { actor: robot }),
      thread.dispatch({ type: "name", name: "T-15" }, { actor: ada }),
    ]);
    expect(verdicts.map(({ accepted, version }) => [accepted, version])).toEqual([
      [true, 1],
      [true, 2],
      [false, 2],
      [true, 3],
    ]);
    expect(verdicts[2]).toMatchObject({
      attempt: 1,
      rejection: { code: "refused", reason: "name_not_found", details: { names: [] } },
    });
  });

  it("changes no state and calls no listener before the log has stored a commit", async () => {
    let storing: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (storing = resolve));
    const thread = await open(
      spied(memoryLog(), (method) => (method === "append" ? stored : undefined)),
      steady(),
    );
    const calls: string[] = [];
    thread.subscribe((state, previous) => calls.push(`state ${previous.count} -> ${state.count} at ${thread.version}`));
    thread.onCommit((commit) =>
      calls.push(`commit ${commit.version} at ${thread.version}, count ${thread.getState().count}`),
    );
    thread.onRejection((refusal) => calls.push(`refusal ${refusal.id} at ${thread.version}`));
    const verdicts = [
      thread.dispatch(add(1), { actor: ada }),
      thread.dispatch(add(101), { actor: ada }),
      thread.dispatch(add(2), { actor: ada }),
    ];
    void Promise.all(verdicts).then(() => calls.push("verdicts"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual([]);
    expect([thread.version, thread.getState().count]).toEqual([0, 0]);
    storing();
    await Promise.all(verdicts);
    expect(calls).toEqual([
      "state 0 -> 1 at 1",
      "commit 1 at 1, count 1",
      "refusal id-2 at 1",
      "state 1 -> 3 at 2",
      "commit 2 at 2, count 3",
      "verdicts",
    ]);
  });

  it("does not call a listener that unsubscribed", async () => {
    const thread = await open();
    const seen: number[] = [];
    const unsubscribe = thread.onCommit(({ version }) => seen.push(version));
    await thread.dispatch(add(1), { actor: ada });
    unsubscribe();
    await thread.dispatch(add(1), { actor: ada });
    expect(seen).toEqual([1]);
    expect(thread.version).toBe(2);
  });

  it("accepts a dispatch from within a listener", async () => {
    const thread = await open();
    let inner: Promise<unknown> = Promise.resolve();
    thread.onCommit(({ version }) => {
      if (version === 1) inner = thread.dispatch(add(1), { actor: ada });
    });
    await thread.dispatch(add(1), { actor: ada });
    expect(await inner).toMatchObject({ accepted: true, version: 2 });
  });

  it("accepts an update that changes nothing without a commit", async () => {
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    const before = thread.getState();
    expect(await thread.dispatch(add(0), { actor: ada, id: "zero" })).toEqual({ accepted: true, version: 1 });
    expect(thread.getState()).toBe(before);
    expect(await thread.history()).toHaveLength(1);
  });

  it("remembers the id of an update that changed nothing", async () => {
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    await thread.dispatch(add(0), { actor: ada, id: "zero" });
    await thread.dispatch(add(1), { actor: ada });
    expect(await thread.dispatch(add(0), { actor: ada, id: "zero" })).toEqual({ accepted: true, version: 1 });
    expect(await thread.dispatch(add(9), { actor: ada, id: "zero" })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict" },
    });
    expect(await thread.history()).toHaveLength(2);
  });

  it("copies an update when it is dispatched", async () => {
    const thread = await open();
    const update = { type: "name" as const, name: "x" };
    const verdict = thread.dispatch(update, { actor: ada });
    update.name = "y";
    await verdict;
    expect(thread.getState().names).toEqual(["x"]);
    expect(Object.isFrozen(update)).toBe(false);
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["a number", 7],
    ["an empty object", {}],
    ["an unknown type", { type: "nope" }],
    ["a bigint", { type: "add", by: 1n }],
    [
      "a cycle",
      Object.assign(
        { type: "add" },
        {
          get self() {
            return this;
          },
        },
      ),
    ],
    ["a date", new Date(0)],
    ["a proto key", JSON.parse('{"type":"add","by":1,"__proto__":{"x":1}}')],
    ["deep nesting", JSON.parse(`${'{"type":"add","by":'.repeat(5_000)}1${"}".repeat(5_000)}`)],
  ])("refuses an update that is not an operation and records the refusal: %s", async (_, garbage) => {
    const log = memoryLog();
    const thread = await open(log);
    const before = thread.getState();
    const verdict = await thread.submit(garbage, { actor: robot, id: "g" });
    expect(verdict).toMatchObject({ accepted: false, version: 0, attempt: 1 });
    expect(thread.getState()).toBe(before);
    expect(await log.refusals("t")).toHaveLength(1);
    expect(await thread.submit(garbage, { actor: robot, id: "g" })).toEqual(verdict);
    expect(await (await open(log)).submit(garbage, { actor: robot, id: "g" })).toEqual(verdict);
  });

  it("has one effect for an id, whether it was dispatched or submitted", async () => {
    const thread = await open(memoryLog());
    const json: unknown = JSON.parse('{"type":"add","by":1}');
    const submitted = await thread.submit(json, { actor: ada, id: "one" });
    expect(submitted).toMatchObject({ accepted: true, version: 1 });
    expect(await thread.dispatch(add(1), { actor: ada, id: "one" })).toEqual(submitted);
    expect(thread.getState().count).toBe(1);
  });

  it("shortens a large operation in its refusal", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const name = "x".repeat(50_000);
    await thread.dispatch({ type: "unname", name }, { actor: ada });
    const [refusal] = await log.refusals("t");
    expect(refusal?.operation).toMatchObject({ type: "unname", cut: { length: name.length + 27 } });
    expect(JSON.stringify(refusal).length).toBeLessThan(4_000);
    const again = await open(log);
    expect(await again.dispatch({ type: "unname", name }, { actor: ada })).toMatchObject({ attempt: 2 });
  });

  it.each([
    ["no actor", undefined, "forbidden", "/actor"],
    ["an actor without an id", { actor: { kind: "user" } }, "forbidden", "/actor"],
    ["an empty id", { actor: ada, id: "" }, "invalid_operation", "/id"],
    ["a control character", { actor: ada, id: "a\u0000b" }, "invalid_operation", "/id"],
    ["a long id", { actor: ada, id: "x".repeat(201) }, "invalid_operation", "/id"],
    ["a run id that is not a string", { actor: ada, runId: 5 }, "invalid_operation", "/runId"],
    [
      "an expected version that is not a version",
      { actor: ada, expectedVersion: -1 },
      "invalid_operation",
      "/expectedVersion",
    ],
  ])("refuses a submission with %s and records nothing", async (_, envelope, code, path) => {
    const log = memoryLog();
    const thread = await open(log);
    expect(await thread.dispatch(add(1), (envelope ?? {}) as { actor: typeof ada })).toMatchObject({
      accepted: false,
      rejection: { code, path },
    });
    expect(await log.refusals("t")).toEqual([]);
    expect(thread.version).toBe(0);
  });
});

describe("permissions", () => {
  it.each([
    ["an operation", { type: "reset" }, robot, ada],
    ["a replacement", { count: 5, names: [], size: 0 }, ada, robot],
  ])("for %s depend on the kind of the actor", async (_, update, forbidden, allowed) => {
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    expect(await thread.submit(update, { actor: forbidden })).toMatchObject({
      accepted: false,
      rejection: { code: "forbidden" },
    });
    expect(await thread.submit(update, { actor: allowed })).toMatchObject({
      accepted: true,
      version: 2,
    });
  });

  it("are refused where listeners and the history see it", async () => {
    const thread = await open();
    const refusals: Refusal[] = [];
    thread.onRejection((refusal) => refusals.push(refusal));
    await thread.dispatch({ type: "reset" }, { actor: robot, id: "no" });
    await thread.dispatch(add(1), { actor: robot });
    expect(refusals).toMatchObject([{ id: "no", rejection: { code: "forbidden" } }]);
    expect((await thread.history({ rejections: true })).map(({ kind }) => kind)).toEqual(["refusal", "commit"]);
  });
});
