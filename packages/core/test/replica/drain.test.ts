// What comes back from the authority as it was sent is not run again: draining is linear.

import { type AnyOperation, type Commit, createReplica, defineState, memoryLog, openThread } from "@opstate/core";
import type { Submission, TransportMessage } from "@opstate/core/transport";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, bob } from "../thread/tally.ts";

const PENDING = 40;

/** A replica whose reducer counts its runs, with pending operations; and their commits. */
async function drained(
  updates: readonly AnyOperation[],
  /** After so many own operations another actor adds an item. */
  foreign = Infinity,
) {
  let runs = 0;
  const define = (count: () => void) =>
    defineState({
      name: "list",
      schema: z.object({ items: z.array(z.object({ id: z.string(), text: z.string(), at: z.string() })) }),
      initial: { items: [] },
      operations: {
        add: {
          input: z.object({ text: z.string() }),
          apply(draft, { text }, { id }) {
            count();
            draft.items.unshift({ id: id(), text, at: "" });
          },
        },
        stamp: {
          input: z.object({ text: z.string() }),
          apply(draft, { text }, { id, now }) {
            count();
            draft.items.push({ id: id(), text, at: now });
          },
        },
        rename: {
          input: z.object({ text: z.string(), to: z.string() }),
          apply(draft, { text, to }) {
            count();
            const item = draft.items.find((each) => each.text === text);
            if (item) item.text = to;
          },
        },
      },
    });
  const thread = await openThread({ definition: define(() => {}), log: memoryLog(), threadId: "t" });
  const definition = define(() => (runs += 1));
  let receive: (message: TransportMessage) => void = () => {};
  const sent: Submission[] = [];
  const replica = createReplica({
    definition,
    actor: ada,
    snapshot: { version: 0, state: { items: [] } },
    transport: {
      connect({ onMessage, onStatus }) {
        receive = onMessage;
        onStatus("online");
        return { send: (submission) => sent.push(submission), close() {} };
      },
    },
  });
  const commits: Commit[] = [];
  const verdicts: TransportMessage[] = [];
  thread.onCommit((commit) => commits.push(JSON.parse(JSON.stringify(commit)) as Commit));
  for (const update of updates) void replica.dispatch(update as never);
  for (const [n, { id, operation }] of sent.entries()) {
    const verdict = await thread.submit(operation, { actor: ada, id });
    verdicts.push({ type: "verdict", id, verdict });
    if (n % foreign === foreign - 1) await thread.dispatch(definition.op.add({ text: `theirs ${n}` }), { actor: bob });
  }
  const states: unknown[] = [];
  replica.subscribe((state) => states.push(state));
  runs = 0;
  return {
    thread,
    replica,
    commits,
    verdicts,
    states,
    receive: (message: TransportMessage) => receive(message),
    runs: () => runs,
  };
}

const add = (n: number) => ({ type: "add", text: `item ${n}` });
const each = <T>(make: (n: number) => T) => Array.from({ length: PENDING }, (_, n) => make(n));

describe("a pending operation whose commit did the very same", () => {
  for (const perMessage of [1, 7, PENDING])
    it(`is not run again, nor are those behind it, with ${perMessage} commits in a message`, async () => {
      const { replica, receive, commits, runs, states, thread } = await drained(each(add));
      const view = replica.getState();
      for (let at = 0; at < commits.length; at += perMessage)
        receive({ type: "commits", commits: commits.slice(at, at + perMessage) });
      expect(runs()).toBe(0);
      expect(replica.getState()).toBe(view);
      expect(states).toEqual([]);
      expect(replica.sync.getState()).toMatchObject({ version: PENDING, pending: [] });
      expect(replica.getState()).toEqual(thread.getState());
    });

  it("is not run again as a part of a batch", async () => {
    const batch = (n: number) => ({
      type: "$batch",
      operations: [add(n), { type: "rename", text: "item 0", to: "first" }],
    });
    const { replica, receive, commits, runs, thread } = await drained(each(batch));
    for (const commit of commits) receive({ type: "commits", commits: [commit] });
    expect(runs()).toBe(0);
    expect(replica.getState()).toEqual(thread.getState());
  });

  it("is not run again around operations that change nothing and have only a verdict", async () => {
    const update = (n: number) => (n % 3 === 0 ? { type: "rename", text: "nobody", to: "x" } : add(n));
    const { replica, receive, commits, verdicts, runs, thread } = await drained(each(update));
    for (const verdict of verdicts) {
      const own = commits.filter(({ id }) => verdict.type === "verdict" && verdict.id === id);
      if (own.length > 0) receive({ type: "commits", commits: own });
      receive(verdict);
    }
    expect(runs()).toBe(0);
    expect(replica.sync.getState().pending).toEqual([]);
    expect(replica.getState()).toEqual(thread.getState());
  });

  it("is not run again when all were made before the connection was there", async () => {
    const { replica, receive, commits, runs } = await drained(each(add));
    receive({ type: "welcome", actor: ada });
    for (const commit of commits) receive({ type: "commits", commits: [commit] });
    expect(runs()).toBe(0);
    expect(replica.sync.getState().pending).toEqual([]);
  });
});

describe("what comes in between", () => {
  it("is one rebase of what is pending behind it", async () => {
    const { replica, receive, commits, runs, thread } = await drained(each(add), PENDING / 4);
    for (const commit of commits) receive({ type: "commits", commits: [commit] });
    // Behind the first, second and third commit of others: three, two and one quarter.
    expect(runs()).toBe(((3 + 2 + 1) * PENDING) / 4);
    expect(replica.getState()).toEqual(thread.getState());
  });

  it("is one rebase, when one message brings it between own commits", async () => {
    const { replica, receive, commits, runs, thread } = await drained(each(add), PENDING / 4);
    receive({ type: "commits", commits: commits.slice(0, PENDING / 2 + 2) });
    expect(runs()).toBe(PENDING / 2);
    receive({ type: "commits", commits: commits.slice(PENDING / 2 + 2) });
    expect(replica.getState()).toEqual(thread.getState());
  });

  it("is the authority's time, where an operation stores it: those behind it are run on it", async () => {
    const { replica, receive, commits, thread } = await drained(each((n) => ({ type: "stamp", text: `item ${n}` })));
    for (const commit of commits) {
      receive({ type: "commits", commits: [commit] });
      const { version } = replica.sync.getState();
      const times = replica
        .getState()
        .items.slice(0, version)
        .map(({ at }) => at);
      expect(times).toEqual(commits.slice(0, version).map(({ at }) => at));
    }
    expect(replica.getState()).toEqual(thread.getState());
  });
});
