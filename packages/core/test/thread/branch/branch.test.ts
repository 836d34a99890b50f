import { type Actor, type Branch, defineState, memoryLog, openThread } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, bob, defineTally, robot, tally, elsewhere } from "../tally.ts";

const other: Actor = { kind: "agent", id: "other" };
const open = (log = memoryLog(), definition = tally) => openThread({ definition, log: elsewhere(log), threadId: "t" });
const name = (name: string) => ({ type: "name", name }) as const;
const add = (by: number) => ({ type: "add", by }) as const;

/** A thread with two names at version 2. */
async function started(log = memoryLog()) {
  const thread = await open(log);
  await thread.dispatch(name("a"), { actor: ada });
  await thread.dispatch(name("b"), { actor: ada });
  return thread;
}

async function verdictsOf(branch: Branch, options: Parameters<Branch["merge"]>[0]) {
  return (await branch.merge(options)).map(({ verdict }) =>
    verdict.accepted ? verdict.version : verdict.rejection.code,
  );
}

describe("a branch", () => {
  it("begins with the state of a version and lives beside its parent", async () => {
    const thread = await started();
    const branch = await thread.branch(1);
    expect(branch.version).toBe(0);
    expect(branch.getState()).toEqual({ count: 0, names: ["a"], size: 1 });
    expect(branch.parent).toEqual({ threadId: "t", version: 1, incarnation: thread.incarnation });
    await branch.dispatch(add(3), { actor: robot });
    await thread.dispatch(add(1), { actor: bob });
    expect(branch.getState()).toEqual({ count: 3, names: ["a"], size: 1 });
    expect(thread.getState()).toEqual({ count: 1, names: ["a", "b"], size: 2 });
    expect(thread.version).toBe(3);
    expect((await thread.branch()).getState()).toEqual(thread.getState());
    await expect(thread.branch(4)).rejects.toThrow(/versions 0 to 3/);
  });

  it("says what was done on it, in words, and what would become of it", async () => {
    const thread = await started();
    const branch = await thread.branch();
    await branch.dispatch(name("c"), { actor: robot, id: "one", runId: "r", toolCallId: "call" });
    await branch.dispatch({ type: "wipe" }, { actor: robot, id: "two" });
    await branch.dispatch(name("c"), { actor: ada, id: "three" });
    await branch.dispatch(name("gone"), { actor: ada, id: "four" });
    await branch.undo({ ids: ["four"] }, { actor: ada });
    await thread.dispatch(name("c"), { actor: bob });
    const diff = await branch.diff();
    expect(diff).toEqual([
      {
        id: "one",
        version: 1,
        operation: name("c"),
        actor: robot,
        at: expect.any(String),
        runId: "r",
        toolCallId: "call",
        sentence: 'name {"name":"c"} (Put a name on the list)',
        needsApproval: false,
        holds: false,
        rejection: expect.objectContaining({ code: "refused", reason: "name_taken" }),
      },
      expect.objectContaining({ id: "two", sentence: "wipe {}", needsApproval: true, holds: true }),
      // Once what stands before it were merged, the name is free.
      expect.objectContaining({ id: "three", actor: ada, needsApproval: false, holds: true }),
    ]);
    expect(thread.version).toBe(3);
  });

  it("is merged operation by operation, each with its verdict, once", async () => {
    const log = memoryLog();
    const thread = await started(log);
    const branch = await thread.branch();
    await branch.dispatch(name("c"), { actor: robot, id: "one", runId: "r" });
    await branch.dispatch(name("d"), { actor: robot, id: "two" });
    await thread.dispatch(name("c"), { actor: bob });
    const merged = await branch.merge({ actor: ada });
    expect(merged).toMatchObject([
      { id: "one", version: 1, verdict: { accepted: false, rejection: { code: "refused", reason: "name_taken" } } },
      {
        id: "two",
        version: 2,
        verdict: {
          accepted: true,
          version: 4,
          commit: {
            actor: ada,
            operation: { type: "$merge", branch: branch.threadId, change: 2, author: robot, operation: name("d") },
          },
        },
      },
    ]);
    expect(thread.getState().names).toEqual(["a", "b", "c", "d"]);
    // By somebody else, after a restart, after compaction: it was merged already.
    expect((await branch.merge({ actor: bob }))[1]).toEqual(merged[1]);
    await thread.close();
    const again = await open(log);
    await again.dispatch({ type: "unname", name: "d" }, { actor: ada });
    const reopened = await again.openBranch(branch.threadId);
    expect((await reopened?.merge({ actor: ada, ids: ["two"] }))?.[0]).toEqual(merged[1]);
    // What the branch has in common with its parent stays while the branch is there.
    expect(await again.compact({ keep: 0 })).toBe(2);
    expect(await reopened?.merge({ actor: ada, ids: ["two"] })).toEqual([merged[1]]);
    expect(again.getState().names).toEqual(["a", "b", "c"]);
    expect(await reopened?.diff()).toMatchObject([
      { id: "one", holds: false },
      { id: "two", merged: 4 },
    ]);
    // What was refused may be tried again.
    await again.dispatch({ type: "unname", name: "c" }, { actor: ada });
    expect(await reopened?.merge({ actor: ada, ids: ["one"] })).toMatchObject([{ verdict: { accepted: true } }]);
    expect(again.getState().names).toEqual(["a", "b", "c"]);
  });

  it("keeps who did it and in which run, and can be taken back on the parent", async () => {
    const thread = await started();
    const branch = await thread.branch();
    await branch.dispatch(name("c"), { actor: robot, runId: "r", toolCallId: "call" });
    await branch.merge({ actor: ada });
    expect(await thread.explain("/names/2")).toMatchObject({
      actor: ada,
      runId: "r",
      toolCallId: "call",
      commit: { operation: { author: robot } },
    });
    expect(await thread.digest({ since: 2, for: bob })).toContain(
      'user ada: merged what agent robot did on a branch: name {"name":"c"} (Put a name on the list)',
    );
    const undone = await thread.undo({ runId: "r" }, { actor: ada, id: "u" });
    expect(undone.accepted).toBe(true);
    expect(thread.getState().names).toEqual(["a", "b"]);
    await thread.undo({ ids: ["u"] }, { actor: ada });
    expect(thread.getState().names).toEqual(["a", "b", "c"]);
    expect(await thread.undo({ runId: "r" }, { actor: robot })).toMatchObject({ rejection: { code: "forbidden" } });
  });

  it("does what its author did as the author, when it is merged and when it is done again", async () => {
    const signed = defineState({
      name: "signed",
      schema: z.object({ by: z.array(z.string()) }),
      initial: { by: [] },
      operations: {
        sign: { input: z.object({}), apply: (draft, _, { actor }) => void draft.by.push(actor?.id ?? "nobody") },
      },
    });
    const thread = await openThread({ definition: signed, log: memoryLog(), threadId: "s" });
    await thread.dispatch({ type: "sign" }, { actor: bob, id: "first" });
    const branch = await thread.branch();
    await branch.dispatch({ type: "sign" }, { actor: robot });
    await branch.merge({ actor: ada });
    await thread.propose({ type: "sign" }, { actor: robot, id: "p" });
    await thread.approve("p", { actor: ada });
    expect(thread.getState().by).toEqual(["bob", "robot", "robot"]);
    await thread.undo({ ids: ["first"] }, { actor: bob });
    expect(thread.getState().by).toEqual(["robot", "robot"]);
  });

  it("merges chosen operations, in their order, and says which there are not", async () => {
    const thread = await started();
    const branch = await thread.branch();
    for (const id of ["c", "d", "e"]) await branch.dispatch(name(id), { actor: robot, id });
    const merged = await branch.merge({ actor: ada, ids: ["e", "nope", "c", "e"] });
    expect(merged.map(({ id, verdict }) => [id, verdict.accepted])).toEqual([
      ["c", true],
      ["e", true],
      ["nope", false],
    ]);
    expect(merged[2]).toMatchObject({ verdict: { rejection: { code: "conflict", reason: "unknown_id" } } });
    expect(thread.getState().names).toEqual(["a", "b", "c", "e"]);
  });

  it("is no way around permissions: author and merger need them, and approval needs somebody else", async () => {
    const thread = await started();
    const branch = await thread.branch();
    // There, approval waits; who may not use an operation at all may not there either.
    expect(await branch.dispatch({ type: "wipe" }, { actor: robot, id: "wipe" })).toMatchObject({ accepted: true });
    expect(await branch.dispatch({ type: "reset" }, { actor: robot })).toMatchObject({
      rejection: { code: "forbidden" },
    });
    await branch.dispatch(add(2), { actor: robot, id: "add" });
    expect(await branch.dispatch({ type: "reset" }, { actor: ada, id: "reset" })).toMatchObject({ accepted: true });
    await thread.dispatch(add(1), { actor: bob });

    expect(await verdictsOf(branch, { actor: robot, ids: ["wipe"] })).toEqual(["needs_approval"]);
    expect(await verdictsOf(branch, { actor: robot, ids: ["wipe"], allows: () => true })).toEqual(["needs_approval"]);
    expect(await verdictsOf(branch, { actor: other, ids: ["wipe"] })).toEqual(["needs_approval"]);
    expect(await verdictsOf(branch, { actor: ada, ids: ["wipe"], allows: () => false })).toEqual(["needs_approval"]);
    // An agent may not use what users only may, though a user did it on the branch.
    expect(await verdictsOf(branch, { actor: robot, ids: ["reset"] })).toEqual(["forbidden"]);
    expect(thread.getState()).toEqual({ count: 1, names: ["a", "b"], size: 2 });
    expect(await verdictsOf(branch, { actor: ada })).toEqual([4, 5, 6]);
    expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
  });

  it("is refused once by a log that repeats an append whose answer was lost", async () => {
    const store = memoryLog();
    let appends = 0;
    const log: ReturnType<typeof memoryLog> = {
      ...store,
      async append(...call) {
        appends += 1;
        if (appends > 20) throw new Error("the same again and again");
        await store.append(...call);
        return store.append(...call);
      },
    };
    const thread = await started(log);
    await thread.dispatch(add(5), { actor: bob });
    const branch = await thread.branch();
    await branch.dispatch({ type: "reset" }, { actor: ada, id: "reset" });
    appends = 0;
    expect(await verdictsOf(branch, { actor: robot })).toEqual(["forbidden"]);
    expect(appends).toBe(1);
    expect(await verdictsOf(branch, { actor: ada })).toEqual([4]);
  });

  it("gives an agent's refused merge no say over a user's later one", async () => {
    const thread = await started();
    await thread.dispatch(add(5), { actor: bob });
    const branch = await thread.branch();
    await branch.dispatch({ type: "reset" }, { actor: ada, id: "reset" });
    expect(await verdictsOf(branch, { actor: robot })).toEqual(["forbidden"]);
    expect(await verdictsOf(branch, { actor: bob })).toEqual([4]);
    expect(await thread.history({ rejections: true })).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: "refusal",
          refusal: expect.objectContaining({ actor: robot, operation: expect.objectContaining({ type: "$merge" }) }),
        }),
      ]),
    );
  });

  it("merges replacements for those who may replace, and what was approved on it as its proposer's", async () => {
    const thread = await started();
    const branch = await thread.branch();
    await branch.dispatch({ count: 9, names: ["z"] }, { actor: robot, id: "whole" });
    await branch.propose({ type: "wipe" }, { actor: robot, id: "p" });
    await branch.approve("p", { actor: ada, id: "yes" });
    expect(await branch.diff()).toMatchObject([
      { id: "whole", sentence: "replaced the whole tally" },
      { id: "yes", actor: robot, operation: { type: "wipe" }, needsApproval: true },
    ]);
    expect(await verdictsOf(branch, { actor: ada, ids: ["whole"] })).toEqual(["forbidden"]);
    expect(await verdictsOf(branch, { actor: { kind: "system", id: "sync" } })).toEqual([3, 4]);
    expect(thread.getState()).toEqual({ count: 9, names: [], size: 0 });
  });

  it("has what was approved on it among its changes, and nothing of what was declined", async () => {
    const thread = await started();
    const branch = await thread.branch();
    await branch.propose(name("c"), { actor: robot, id: "yes" });
    await branch.propose(name("d"), { actor: robot, id: "no" });
    await branch.approve("yes", { actor: ada, id: "approval" });
    await branch.decline("no", { actor: ada, id: "decline" });
    expect((await branch.diff()).map(({ id, actor }) => [id, actor.id])).toEqual([["approval", "robot"]]);
    expect(await verdictsOf(branch, { actor: bob })).toEqual([3]);
    expect(thread.getState().names).toEqual(["a", "b", "c"]);
  });

  it("is listed, found again after a restart, opened as a plain thread, and gone when discarded", async () => {
    const log = memoryLog();
    const thread = await started(log);
    const branch = await thread.branch();
    const named = await thread.branch(1, { id: "mine" });
    expect(await thread.branch(1, { id: "mine" })).toBe(named);
    await expect(thread.branch(2, { id: "mine" })).rejects.toMatchObject({ code: "invalid_branch" });
    await expect(thread.branch(2, { id: "t" })).rejects.toMatchObject({ code: "invalid_branch" });
    await named.dispatch(add(1), { actor: robot });
    await thread.close();

    const again = await open(log);
    expect((await again.branches()).map(({ threadId, version }) => [threadId, version])).toEqual([
      [branch.threadId, 0],
      ["mine", 1],
    ]);
    const found = await again.openBranch("mine");
    expect(found?.getState().count).toBe(1);
    expect(await again.openBranch("mine")).toBe(found);
    expect(await again.openBranch("t")).toBeUndefined();
    expect(await again.openBranch("nothing")).toBeUndefined();
    const plain = await openThread({ definition: tally, log: elsewhere(log), threadId: "mine" });
    expect(plain.parent).toEqual({ threadId: "t", version: 1, incarnation: again.incarnation });
    expect(await plain.dispatch({ type: "wipe" }, { actor: robot })).toMatchObject({ accepted: true });
    expect(await found?.diff()).toHaveLength(2);

    await found?.discard();
    expect((await again.branches()).map(({ threadId }) => threadId)).toEqual([branch.threadId]);
    expect(await again.openBranch("mine")).toBeUndefined();
    await expect(found?.diff()).rejects.toMatchObject({ code: "closed" });
    // Another branch of that name is another one: nothing of it counts as merged.
    const next = await again.branch(1, { id: "mine" });
    await next.dispatch(add(1), { actor: robot });
    expect(await verdictsOf(next, { actor: ada })).toEqual([3]);
  });

  it("is not another thread's, though that has the parent's name", async () => {
    const log = memoryLog();
    const thread = await started(log);
    const branch = await thread.branch();
    await thread.close();
    await log.delete("t");
    const reborn = await open(log);
    expect(await reborn.branches()).toEqual([]);
    expect(await reborn.openBranch(branch.threadId)).toBeUndefined();
  });

  it("has no branches and no compaction of its own", async () => {
    const thread = await started();
    const branch = await thread.branch();
    await expect(branch.branch()).rejects.toMatchObject({ code: "invalid_branch" });
    await expect(branch.compact({ keep: 1 })).rejects.toMatchObject({ code: "invalid_branch" });
  });

  it("of a state that an older definition wrote is brought up to date like its parent", async () => {
    const log = memoryLog();
    await started(log);
    const newer = {
      ...defineTally(2),
      model: { ...defineTally(2).model, migrate: (state: unknown) => ({ ...(state as object), count: 40 }) },
    };
    const thread = await open(log, newer);
    expect(thread.getState().count).toBe(40);
    const branch = await thread.branch(1);
    expect(branch.getState()).toEqual({ count: 40, names: ["a"], size: 1 });
    await branch.dispatch(add(1), { actor: robot });
    expect(await verdictsOf(branch, { actor: ada })).toEqual([4]);
    expect(await thread.stateAt(4)).toEqual({ count: 41, names: ["a", "b"], size: 2 });
  });

  it("is merged by two writers of one log once", async () => {
    const log = memoryLog();
    const thread = await started(log);
    const branch = await thread.branch();
    await branch.dispatch(name("c"), { actor: robot });
    const other = await open(log);
    const copy = await other.openBranch(branch.threadId);
    const [mine, theirs] = await Promise.all([branch.merge({ actor: ada }), copy?.merge({ actor: bob })]);
    expect(theirs).toEqual(mine);
    expect(await thread.history()).toHaveLength(3);
  });
});
