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
      // Once what is before it were merged, the name is free.
      expect.objectContaining({ id: "three", actor: ada, needsApproval: false, holds: true }),
    ]);
    expect(thread.version).toBe(3);
  });

  /** Two names on a branch, of which the parent has the first one too. */
  async function halfMergeable(log = memoryLog()) {
    const thread = await started(log);
    const branch = await thread.branch();
    await branch.dispatch(name("c"), { actor: robot, id: "one", runId: "r" });
    await branch.dispatch(name("d"), { actor: robot, id: "two" });
    await thread.dispatch(name("c"), { actor: bob });
    return { log, thread, branch };
  }

  it("is merged operation by operation, each with its verdict", async () => {
    const { thread, branch } = await halfMergeable();
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
  });

  it("is merged once: not again by another person, after a restart or after compaction", async () => {
    const { log, thread, branch } = await halfMergeable();
    const merged = await branch.merge({ actor: ada });
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
  });

  it("is merged again where it was refused", async () => {
    const { thread, branch } = await halfMergeable();
    await branch.merge({ actor: ada });
    await thread.dispatch({ type: "unname", name: "c" }, { actor: ada });
    expect(await branch.merge({ actor: ada, ids: ["one"] })).toMatchObject([{ verdict: { accepted: true } }]);
    expect(thread.getState().names).toEqual(["a", "b", "d", "c"]);
  });

  it("keeps who did it and in which run, and can be undone on the parent", async () => {
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

  it("lets an actor do what waits for approval, and not what they may not do at all", async () => {
    const branch = await (await started()).branch();
    expect(await branch.dispatch({ type: "wipe" }, { actor: robot })).toMatchObject({ accepted: true });
    expect(await branch.dispatch({ type: "reset" }, { actor: robot })).toMatchObject({
      rejection: { code: "forbidden" },
    });
  });

  describe("with an operation that waits for approval, and one that agents may not do", () => {
    async function worked() {
      const thread = await started();
      const branch = await thread.branch();
      await branch.dispatch({ type: "wipe" }, { actor: robot, id: "wipe" });
      await branch.dispatch(add(2), { actor: robot, id: "add" });
      await branch.dispatch({ type: "reset" }, { actor: ada, id: "reset" });
      await thread.dispatch(add(1), { actor: bob });
      return { thread, branch };
    }

    it.each<[string, string, string, Parameters<typeof verdictsOf>[1]]>([
      ["wipe", "needs_approval", "its own author", { actor: robot }],
      ["wipe", "needs_approval", "its own author, who may approve others", { actor: robot, allows: () => true }],
      ["wipe", "needs_approval", "another agent", { actor: other }],
      ["wipe", "needs_approval", "a person without the right", { actor: ada, allows: () => false }],
      ["reset", "forbidden", "an agent, though a person did it there", { actor: robot }],
    ])("%s is refused (%s) when merged by %s", async (id, code, _, by) => {
      const { thread, branch } = await worked();
      expect(await verdictsOf(branch, { ...by, ids: [id] })).toEqual([code]);
      expect(thread.getState()).toEqual({ count: 1, names: ["a", "b"], size: 2 });
    });

    it("is merged by a person who may do and approve all of it", async () => {
      const { thread, branch } = await worked();
      expect(await verdictsOf(branch, { actor: ada })).toEqual([4, 5, 6]);
      expect(thread.getState()).toEqual({ count: 0, names: [], size: 0 });
    });
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

  it("has its name to itself", async () => {
    const thread = await started();
    const named = await thread.branch(1, { id: "mine" });
    expect(await thread.branch(1, { id: "mine" })).toBe(named);
    await expect(thread.branch(2, { id: "mine" })).rejects.toMatchObject({ code: "invalid_branch" });
    await expect(thread.branch(2, { id: "t" })).rejects.toMatchObject({ code: "invalid_branch" });
  });

  describe("after a restart", () => {
    async function restarted() {
      const log = memoryLog();
      const thread = await started(log);
      const unnamed = await thread.branch();
      const named = await thread.branch(1, { id: "mine" });
      await named.dispatch(add(1), { actor: robot });
      await thread.close();
      return { log, thread: await open(log), unnamed: unnamed.threadId };
    }

    it("is listed", async () => {
      const { thread, unnamed } = await restarted();
      expect((await thread.branches()).map(({ threadId, version }) => [threadId, version])).toEqual([
        [unnamed, 0],
        ["mine", 1],
      ]);
    });

    it("is found again by its name, and only what is a branch of this thread", async () => {
      const { thread } = await restarted();
      const found = await thread.openBranch("mine");
      expect(found?.getState().count).toBe(1);
      expect(await thread.openBranch("mine")).toBe(found);
      expect(await thread.openBranch("t")).toBeUndefined();
      expect(await thread.openBranch("nothing")).toBeUndefined();
    });

    it("can be opened as a plain thread, elsewhere", async () => {
      const { log, thread } = await restarted();
      const found = await thread.openBranch("mine");
      const plain = await openThread({ definition: tally, log: elsewhere(log), threadId: "mine" });
      expect(plain.parent).toEqual({ threadId: "t", version: 1, incarnation: thread.incarnation });
      expect(await plain.dispatch({ type: "wipe" }, { actor: robot })).toMatchObject({ accepted: true });
      expect(await found?.diff()).toHaveLength(2);
    });

    it("is gone when it is discarded", async () => {
      const { thread, unnamed } = await restarted();
      const found = await thread.openBranch("mine");
      await found?.discard();
      expect((await thread.branches()).map(({ threadId }) => threadId)).toEqual([unnamed]);
      expect(await thread.openBranch("mine")).toBeUndefined();
      await expect(found?.diff()).rejects.toMatchObject({ code: "closed" });
    });

    it("is another one under the name of a discarded one: nothing of it counts as merged", async () => {
      const { thread } = await restarted();
      const found = await thread.openBranch("mine");
      expect(found && (await verdictsOf(found, { actor: ada }))).toEqual([3]);
      await found?.discard();
      const next = await thread.branch(1, { id: "mine" });
      await next.dispatch(add(1), { actor: robot });
      expect(await verdictsOf(next, { actor: ada })).toEqual([4]);
    });
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
