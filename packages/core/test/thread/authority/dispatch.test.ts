import { type Commit, memoryLog, openThread, type Refusal } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, robot, spied, steady, tally } from "../tally.ts";

const add = (by: number) => ({ type: "add", by }) as const;

function open(log = memoryLog(), stamps: Partial<ReturnType<typeof steady>> = {}) {
  return openThread({ definition: tally, log, threadId: "t", ...stamps });
}

describe("dispatch", () => {
  it("gives a verdict with the commit, whole and stamped by the authority", async () => {
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

  it("takes submissions in call order, and stores those that wait together as one batch", async () => {
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

  it("judges each of a batch against the ones before it", async () => {
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

  it("shows and tells nothing before it is durable", async () => {
    let storing: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (storing = resolve));
    const thread = await open(
      spied(memoryLog(), (method) => (method === "append" ? stored : undefined)),
      steady(),
    );
    const told: string[] = [];
    thread.subscribe((state, previous) => told.push(`state ${previous.count} -> ${state.count} at ${thread.version}`));
    thread.onCommit((commit) =>
      told.push(`commit ${commit.version} at ${thread.version}, count ${thread.getState().count}`),
    );
    thread.onRejection((refusal) => told.push(`refusal ${refusal.id} at ${thread.version}`));
    const verdicts = [
      thread.dispatch(add(1), { actor: ada }),
      thread.dispatch(add(101), { actor: ada }),
      thread.dispatch(add(2), { actor: ada }),
    ];
    void Promise.all(verdicts).then(() => told.push("verdicts"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    expect([thread.version, thread.getState().count]).toEqual([0, 0]);
    storing();
    await Promise.all(verdicts);
    expect(told).toEqual([
      "state 0 -> 1 at 1",
      "commit 1 at 1, count 1",
      "refusal id-2 at 1",
      "state 1 -> 3 at 2",
      "commit 2 at 2, count 3",
      "verdicts",
    ]);
  });

  it("stops telling a listener that left, and takes dispatches from within one", async () => {
    const thread = await open();
    const seen: number[] = [];
    const leave = thread.onCommit(({ version }) => seen.push(version));
    let inner: Promise<unknown> = Promise.resolve();
    thread.onCommit(({ version }) => {
      if (version === 1) inner = thread.dispatch(add(1), { actor: ada });
    });
    await thread.dispatch(add(1), { actor: ada });
    await inner;
    leave();
    await thread.dispatch(add(1), { actor: ada });
    expect(seen).toEqual([1, 2]);
    expect(thread.version).toBe(3);
  });

  it("makes no commit of an update that changes nothing, and knows its id afterwards", async () => {
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    const before = thread.getState();
    expect(await thread.dispatch(add(0), { actor: ada, id: "zero" })).toEqual({ accepted: true, version: 1 });
    expect(thread.getState()).toBe(before);
    await thread.dispatch(add(1), { actor: ada });
    expect(await thread.dispatch(add(0), { actor: ada, id: "zero" })).toEqual({ accepted: true, version: 1 });
    expect(await thread.dispatch(add(9), { actor: ada, id: "zero" })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict" },
    });
    expect(await thread.history()).toHaveLength(2);
  });

  it("copies the update when it is dispatched", async () => {
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
  ])("refuses garbage and records it: %s", async (_, garbage) => {
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

  it("cuts a large operation in its refusal", async () => {
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
    ["half an actor", { actor: { kind: "user" } }, "forbidden", "/actor"],
    ["an empty id", { actor: ada, id: "" }, "invalid_operation", "/id"],
    ["a control character", { actor: ada, id: "a\u0000b" }, "invalid_operation", "/id"],
    ["a long id", { actor: ada, id: "x".repeat(201) }, "invalid_operation", "/id"],
    ["a run id that is no text", { actor: ada, runId: 5 }, "invalid_operation", "/runId"],
    ["a version that is none", { actor: ada, expectedVersion: -1 }, "invalid_operation", "/expectedVersion"],
  ])("refuses an envelope with %s, and records nothing", async (_, envelope, code, path) => {
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

describe("the same id again", () => {
  it("has one effect and one verdict: at once, later, and after a restart", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const both = await Promise.all([
      thread.dispatch(add(1), { actor: ada, id: "1" }),
      thread.dispatch(add(1), { actor: ada, id: "1" }),
    ]);
    const later = await thread.dispatch({ by: 1, type: "add" }, { actor: ada, id: "1" });
    const restarted = await (await open(log)).dispatch(add(1), { actor: ada, id: "1" });
    for (const verdict of [both[1], later, restarted]) expect(verdict).toEqual(both[0]);
    expect(await thread.history()).toHaveLength(1);
  });

  it("is refused again when it was refused, though it would be legal now", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const unname = { type: "unname", name: "x" } as const;
    const first = await thread.dispatch(unname, { actor: ada, id: "1" });
    await thread.dispatch({ type: "name", name: "x" }, { actor: ada });
    expect(first).toMatchObject({ accepted: false, version: 0 });
    expect(await thread.dispatch(unname, { actor: ada, id: "1" })).toEqual(first);
    expect(await (await open(log)).dispatch(unname, { actor: ada, id: "1" })).toEqual(first);
    expect(await thread.dispatch(unname, { actor: ada, id: "2" })).toMatchObject({ accepted: true });
  });

  it("is refused for another operation, and keeps its first verdict", async () => {
    const thread = await open();
    const [, other] = await Promise.all([
      thread.dispatch(add(1), { actor: ada, id: "1" }),
      thread.dispatch(add(2), { actor: ada, id: "1" }),
    ]);
    expect(other).toMatchObject({ accepted: false, rejection: { code: "conflict", path: "/id" } });
    expect(await thread.dispatch(add(2), { actor: ada, id: "1" })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict" },
    });
    expect(await thread.dispatch(add(1), { actor: ada, id: "1" })).toMatchObject({ accepted: true, version: 1 });
    expect(await thread.history({ rejections: true })).toHaveLength(1);
  });

  it("is another id for another actor", async () => {
    const thread = await open();
    const verdicts = await Promise.all(
      [ada, bob, robot, { kind: "agent", id: "ada" }].map((actor) => thread.dispatch(add(1), { actor, id: "1" })),
    );
    expect(verdicts.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  it("comes to a judgement when a broken mintId gives one id twice", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t", mintId: () => "same" });
    expect(await thread.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true, version: 1 });
    expect(await thread.dispatch(add(2), { actor: ada })).toMatchObject({
      accepted: false,
      rejection: { code: "conflict" },
    });
  });
});

describe("what is not final", () => {
  it("conflict: an expected version that does not hold leaves no trace", async () => {
    const thread = await open();
    await thread.dispatch(add(1), { actor: ada });
    const missed = await thread.dispatch(add(1), { actor: robot, id: "1", expectedVersion: 0 });
    expect(missed).toMatchObject({
      accepted: false,
      version: 1,
      rejection: { code: "conflict", details: { expected: 0, version: 1 } },
    });
    expect(await thread.dispatch(add(1), { actor: robot, id: "1", expectedVersion: 1 })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect(await thread.dispatch(add(1), { actor: robot, id: "1", expectedVersion: 1 })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect(await thread.history({ rejections: true })).toHaveLength(2);
  });

  it("conflict: the expectation counts what is ahead in the queue", async () => {
    const thread = await open();
    const verdicts = await Promise.all(
      [add(1), add(1)].map((update) => thread.dispatch(update, { actor: ada, expectedVersion: 0 })),
    );
    expect(verdicts.map(({ accepted }) => accepted)).toEqual([true, false]);
  });

  it("needs_approval may be sent again", async () => {
    const thread = await open();
    await thread.dispatch({ type: "name", name: "x" }, { actor: ada });
    expect(await thread.dispatch({ type: "wipe" }, { actor: robot, id: "1" })).toMatchObject({
      rejection: { code: "needs_approval" },
      attempt: 1,
    });
    expect(await thread.dispatch({ type: "wipe" }, { actor: robot, id: "1" })).toMatchObject({
      rejection: { code: "needs_approval" },
      attempt: 2,
    });
    expect(await thread.dispatch({ type: "wipe" }, { actor: ada, id: "1" })).toMatchObject({ accepted: true });
    expect((await thread.history({ rejections: true })).every(({ kind }) => kind === "commit")).toBe(true);
  });
});

describe("attempts", () => {
  it("count equal refusals: same actor, operation, code and reason; also after a restart", async () => {
    const log = memoryLog();
    const thread = await open(log);
    const attempts = async (target: typeof thread, updates: readonly (readonly [number, typeof ada])[]) =>
      (await Promise.all(updates.map(([by, actor]) => target.dispatch(add(by), { actor })))).map((verdict) =>
        verdict.accepted ? 0 : verdict.attempt,
      );
    expect(
      await attempts(thread, [
        [101, ada],
        [101, ada],
        [102, ada],
        [101, robot],
        [1, ada],
        [101, ada],
      ]),
    ).toEqual([1, 2, 1, 1, 0, 3]);
    expect(
      await attempts(await open(log), [
        [101, ada],
        [102, ada],
        [103, ada],
      ]),
    ).toEqual([4, 2, 1]);
  });
});

describe("permissions", () => {
  it("are checked against the actor, and a refusal is recorded", async () => {
    const thread = await open();
    const heard: Refusal[] = [];
    thread.onRejection((refusal) => heard.push(refusal));
    expect(await thread.dispatch({ type: "reset" }, { actor: robot })).toMatchObject({
      accepted: false,
      rejection: { code: "forbidden" },
    });
    expect(await thread.dispatch({ count: 5, names: [], size: 0 }, { actor: ada })).toMatchObject({
      accepted: false,
      rejection: { code: "forbidden" },
    });
    expect(await thread.dispatch({ count: 5, names: [] }, { actor: robot })).toMatchObject({
      accepted: true,
      version: 1,
    });
    expect(await thread.dispatch({ type: "reset" }, { actor: ada })).toMatchObject({ accepted: true, version: 2 });
    expect(heard.map(({ rejection }) => rejection.code)).toEqual(["forbidden", "forbidden"]);
    expect((await thread.history({ rejections: true })).map(({ kind }) => kind)).toEqual([
      "refusal",
      "refusal",
      "commit",
      "commit",
    ]);
  });
});

describe("a log that fails", () => {
  it("rejects the dispatch, leaves state and version, and works again afterwards", async () => {
    let broken = false;
    const thread = await open(
      spied(memoryLog(), (method) => {
        if (broken && method === "append") throw new Error("disk full");
      }),
    );
    await thread.dispatch(add(1), { actor: ada });
    const before = thread.getState();
    broken = true;
    const outcomes = await Promise.allSettled([
      thread.dispatch(add(2), { actor: ada, id: "2" }),
      thread.dispatch(add(101), { actor: ada, id: "3" }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(thread.getState()).toBe(before);
    expect(thread.version).toBe(1);
    broken = false;
    expect(await thread.dispatch(add(3), { actor: ada })).toMatchObject({ accepted: true, version: 2 });
    expect(await thread.dispatch(add(2), { actor: ada, id: "2" })).toMatchObject({ accepted: true, version: 3 });
    expect(await thread.dispatch(add(101), { actor: ada, id: "3" })).toMatchObject({ accepted: false, attempt: 1 });
    expect(thread.getState().count).toBe(6);
  });

  it("has one effect when it stored a batch but said that it did not", async () => {
    const log = memoryLog();
    let lie = false;
    const thread = await open({
      ...log,
      async append(...call) {
        const result = await log.append(...call);
        if (lie) throw new Error("connection lost");
        return result;
      },
    });
    lie = true;
    await expect(thread.dispatch(add(1), { actor: ada, id: "1" })).rejects.toThrow("connection lost");
    await expect(thread.dispatch(add(101), { actor: ada, id: "2" })).rejects.toThrow("connection lost");
    lie = false;
    const heard: number[] = [];
    thread.onCommit(({ version }) => heard.push(version));
    expect(await thread.dispatch(add(1), { actor: ada, id: "1" })).toMatchObject({
      accepted: true,
      version: 1,
      commit: { id: "1" },
    });
    expect(await thread.dispatch(add(101), { actor: ada, id: "2" })).toMatchObject({ accepted: false, attempt: 1 });
    expect(thread.getState().count).toBe(1);
    expect(heard).toEqual([1]);
  });

  it("does not turn for ever when it contradicts itself", async () => {
    const log = memoryLog();
    const thread = await open({ ...log, append: async () => ({ status: "stale", version: 7 }) });
    await expect(thread.dispatch(add(1), { actor: ada })).rejects.toThrow(/head is version 7/);
  });
});

describe("two writers on one log", () => {
  it("lose nothing, keep one order, and each takes in what the other did", async () => {
    const log = memoryLog();
    const [left, right] = await Promise.all([open(log), open(log)]);
    const heard: string[] = [];
    left.onCommit(({ version, id }) => heard.push(`${version} ${id}`));
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 3 === 0 ? left : right).dispatch(add(1), { actor: index % 2 ? ada : robot, id: `n${index}` }),
      ),
    );
    expect(new Set(verdicts.map(({ version }) => version)).size).toBe(40);
    await left.dispatch(add(1), { actor: ada, id: "last" });
    expect(left.getState().count).toBe(41);
    expect(heard).toHaveLength(41);
    expect(heard.map((line) => Number(line.split(" ")[0]))).toEqual(
      Array.from({ length: 41 }, (_, index) => index + 1),
    );
    expect(await right.dispatch(add(1), { actor: ada, id: "last" })).toMatchObject({
      accepted: true,
      version: 41,
      commit: { id: "last" },
    });
  });

  it("judge by the newest state: no refusal from a stale one", async () => {
    const log = memoryLog();
    const [left, right] = await Promise.all([open(log), open(log)]);
    await left.dispatch({ type: "name", name: "x" }, { actor: ada });
    expect(await right.dispatch({ type: "unname", name: "x" }, { actor: ada })).toMatchObject({
      accepted: true,
      version: 2,
    });
    expect(await left.dispatch(add(1), { actor: ada, expectedVersion: 2 })).toMatchObject({
      accepted: true,
      version: 3,
    });
    expect(left.getState()).toEqual({ count: 1, names: [], size: 0 });
  });

  it("give one id one effect", async () => {
    const log = memoryLog();
    const threads = await Promise.all([open(log), open(log), open(log)]);
    for (const id of ["a", "b", "c"]) {
      const verdicts = await Promise.all(
        threads.flatMap((thread) => [1, 2].map(() => thread.dispatch(add(1), { actor: ada, id }))),
      );
      expect(new Set(verdicts.map((verdict) => JSON.stringify(verdict))).size).toBe(1);
    }
    expect(await log.read("t", { after: 0 })).toHaveLength(3);
  });
});
