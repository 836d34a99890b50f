import { type Actor, type Commit, defineState, memoryLog, openThread, replay } from "@opstate/core";
import { replayLog } from "@opstate/core/log";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string(), at: z.string() })) }),
  initial: { notes: [] },
  operations: {
    add: {
      input: z.object({ text: z.string() }),
      approve: ["agent"],
      apply(draft, { text }, { id, now }) {
        draft.notes.push({ id: id("N-"), text, at: now });
      },
    },
  },
});

const ada: Actor = { kind: "user", id: "ada" };
const robot: Actor = { kind: "agent", id: "robot" };
const add = (text: string) => notes.op.add({ text });

async function start() {
  let minute = 0;
  const clock = () => new Date(Date.UTC(2030, 0, 1, 8, minute++)).toISOString();
  return openThread({ definition: notes, log: memoryLog(), threadId: "t", clock });
}

const commitOf = (verdict: { readonly commit?: Commit } | object): Commit =>
  "commit" in verdict && verdict.commit !== undefined ? verdict.commit : expect.unreachable("there should be a commit");

describe("the ids and the time of an operation in a thread", () => {
  it("are those of its submission: a resend has them, another actor's or another id does not", async () => {
    const first = await start();
    const second = await start();
    const dispatch = async (thread: typeof first, actor: Actor, id: string) => {
      const { patches, at } = commitOf(await thread.dispatch(add("a"), { actor, id }));
      const note = (patches[0] as { value?: { id: string; at: string } }).value;
      expect(note?.at).toBe(at);
      return note?.id;
    };
    const made = await dispatch(first, ada, "s");
    expect(await dispatch(first, ada, "s")).toBe(made);
    expect(first.getState().notes).toHaveLength(1);
    expect(await dispatch(second, ada, "s")).toBe(made);
    expect(await dispatch(second, { kind: "user", id: "bob" }, "s")).not.toBe(made);
    expect(await dispatch(second, ada, "t")).not.toBe(made);
  });

  it("differ for the parts of a batch", async () => {
    const thread = await start();
    await thread.dispatch({ type: "$batch", operations: [add("a"), add("a")] }, { actor: ada, id: "s" });
    expect(new Set(thread.getState().notes.map(({ id }) => id)).size).toBe(2);
  });

  it("are the proposal's: as they were shown, no matter who approves it and when", async () => {
    const thread = await start();
    const proposed = commitOf(await thread.propose(add("a"), { actor: robot, id: "p" }));
    const [shown] = await thread.proposals();
    const value = { id: expect.stringMatching(/^N-/), text: "a", at: proposed.at };
    expect(shown?.patches).toMatchObject([{ op: "add", value }]);
    expect(shown?.stale).toEqual([]);
    // Others may come first.
    await thread.dispatch(add("b"), { actor: ada });
    const approved = commitOf(await thread.approve("p", { actor: ada }));
    const [step] = shown?.patches ?? [];
    expect(approved.patches).toMatchObject([{ value: step !== undefined && "value" in step && step.value }]);
    expect(approved.operation).toMatchObject({
      type: "$approve",
      source: { actor: robot, id: "p", at: proposed.at },
    });
  });

  it("are the branch's when it is merged, and no other change on the parent has them", async () => {
    const thread = await start();
    const branch = await thread.branch();
    // One actor and one id on both.
    await branch.dispatch(add("on the branch"), { actor: ada, id: "s" });
    await thread.dispatch(add("on the parent"), { actor: ada, id: "s" });
    const [made] = branch.getState().notes;
    const [merged] = await branch.merge({ actor: ada });
    expect(merged?.verdict.accepted).toBe(true);
    expect(thread.getState().notes.map(({ text }) => text)).toEqual(["on the parent", "on the branch"]);
    expect(thread.getState().notes[1]).toEqual(made);
    expect(thread.getState().notes[0]?.id).not.toBe(made?.id);
    const { operation } = commitOf(merged?.verdict ?? {});
    expect(operation).toMatchObject({
      type: "$merge",
      source: { actor: ada, id: "s", at: made?.at, branch: branch.incarnation },
    });
  });

  it("are the recorded ones when others are undone and redone", async () => {
    const thread = await start();
    const first = commitOf(await thread.dispatch(add("a"), { actor: ada }));
    await thread.dispatch(add("b"), { actor: ada });
    const [a, b] = thread.getState().notes;
    const undone = commitOf(await thread.undo({ ids: [first.id] }, { actor: ada }));
    expect(thread.getState().notes).toEqual([b]);
    await thread.undo({ ids: [undone.id] }, { actor: ada });
    expect(thread.getState().notes).toEqual([a, b]);
  });

  it("are the same when a recorded log is tried again", async () => {
    const thread = await start();
    await thread.dispatch(add("a"), { actor: ada });
    await thread.dispatch({ type: "$batch", operations: [add("b"), add("c")] }, { actor: ada });
    const { state, changes } = replayLog(notes, await thread.history({ rejections: true }));
    expect({ state, changes }).toEqual({ state: thread.getState(), changes: [] });
  });

  it("are the same when the log of a branch is tried again", async () => {
    const thread = await start();
    const branch = await thread.branch();
    await branch.dispatch(add("a"), { actor: ada });
    const history = await branch.history();
    const { incarnation } = branch;
    expect(replayLog(notes, history, undefined, { branch: incarnation }).state).toEqual(branch.getState());
    expect(replayLog(notes, history).state).not.toEqual(branch.getState());
  });

  it("are given to a replay of bare updates by a caller that knows them", async () => {
    const thread = await start();
    const commits = [
      commitOf(await thread.dispatch(add("a"), { actor: ada })),
      commitOf(await thread.dispatch(add("b"), { actor: ada })),
    ];
    const updates = commits.map(({ operation }) => operation);
    expect(replay(notes, updates, undefined, (index) => commits[index]!).state).toEqual(thread.getState());
    expect(replay(notes, updates).transitions).toMatchObject([
      { rejection: { reason: "needs_submission" } },
      { rejection: { reason: "needs_submission" } },
    ]);
  });
});

describe("the check whether an operation would be accepted", () => {
  const auction = defineState({
    name: "auction",
    schema: z.object({ endsAt: z.string(), bids: z.array(z.object({ id: z.string() })) }),
    initial: { endsAt: "2030-01-01T00:00:00.000Z", bids: [] },
    operations: {
      bid: {
        input: z.object({}),
        apply(draft, _, { id, now, reject }) {
          if (now >= draft.endsAt) return reject("over", "The auction is over.");
          draft.bids.push({ id: id("B-") });
        },
      },
    },
  });

  it("is for this moment, or for the one that is given", () => {
    const ended = { ...auction.initial, endsAt: "2001-01-01T00:00:00.000Z" };
    const open = { ...auction.initial, endsAt: "9999-01-01T00:00:00.000Z" };
    expect(auction.can(ended, auction.op.bid({}))).toMatchObject({ reason: "over" });
    expect(auction.can(open, auction.op.bid({}))).toBeUndefined();
    expect(auction.can(ended, auction.op.bid({}), ada, "2000-12-31T23:59:59.999Z")).toBeUndefined();
    expect(auction.can(open, auction.op.bid({}), ada, open.endsAt)).toMatchObject({ reason: "over" });
  });
});
