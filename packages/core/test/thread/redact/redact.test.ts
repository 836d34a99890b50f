// What an actor wrote is erased from a thread and its branches; everything else goes on.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineState, memoryLog, openThread } from "../../../src/index.ts";
import { allItems } from "../../../src/thread/log/pages.ts";

const ada = { kind: "user", id: "ada" };
const bob = { kind: "user", id: "bob" };
const admin = { kind: "system", id: "privacy" };
const SECRET = "Zwetschgenkuchen";

const notes = defineState({
  name: "notes",
  schema: z.object({ notes: z.array(z.object({ id: z.string(), text: z.string() })) }),
  initial: { notes: [] },
  operations: {
    add: {
      input: z.object({ id: z.string(), text: z.string() }),
      describe: ({ text }) => `Add "${text}"`,
      apply(draft, { id, text }) {
        draft.notes.push({ id, text });
      },
    },
    change: {
      input: z.object({ id: z.string(), text: z.string() }),
      describe: ({ id, text }, before) => `Change "${before.notes.find((note) => note.id === id)?.text}" to "${text}"`,
      apply(draft, { id, text }, { reject }) {
        const note = draft.notes.find((candidate) => candidate.id === id);
        if (!note) return reject("gone", `No note ${id}`, { texts: draft.notes.map((other) => other.text) });
        note.text = text;
      },
    },
    sort: {
      input: z.object({}),
      apply(draft) {
        draft.notes = [...draft.notes].sort((a, b) => (a.text < b.text ? -1 : 1));
      },
    },
  },
});

async function start(log = memoryLog()) {
  const thread = await openThread({ definition: notes, log, threadId: "t" });
  const add = (id: string, text: string, actor = bob) => thread.dispatch(notes.op.add({ id, text }), { actor, id });
  await add("n1", "first of bob");
  await add("n2", `${SECRET} 1`, ada);
  await add("n3", `${SECRET} 2`, ada);
  const branch = await thread.branch(undefined, { id: "t~b" });
  await branch.dispatch(notes.op.add({ id: "b1", text: `${SECRET} on a branch` }), { actor: ada });
  await branch.dispatch(notes.op.change({ id: "n1", text: "bob on the branch" }), { actor: bob, id: "kept" });
  await thread.submit({ type: "change", id: "nowhere", text: `${SECRET} refused` }, { actor: ada, id: "r1" });
  await thread.submit({ type: "change", id: "nowhere", text: "of bob" }, { actor: bob, id: "r2" });
  await thread.propose(notes.op.change({ id: "n1", text: `${SECRET} proposed` }), { actor: ada, id: "p1" });
  await thread.propose(notes.op.change({ id: "n2", text: "instead" }), { actor: bob, id: "p2" });
  // What others did later: sentences, inverses and whole lists show it.
  await add("n4", "second of bob");
  await thread.dispatch(notes.op.sort({}), { actor: bob });
  await thread.dispatch(notes.op.change({ id: "n4", text: "third of bob" }), { actor: bob, id: "later" });
  for (const id of ["n2", "n3"]) {
    await thread.dispatch(notes.op.change({ id, text: "-" }), { actor: admin });
    await branch.dispatch(notes.op.change({ id, text: "-" }), { actor: admin });
  }
  await branch.dispatch(notes.op.change({ id: "b1", text: "-" }), { actor: admin });
  return { log, thread, branch };
}

/** Everything that the log gives of all threads. */
async function contents(log: ReturnType<typeof memoryLog>): Promise<string> {
  const found: unknown[] = [];
  for (const info of await log.list()) {
    const handle = log.thread(info.threadId);
    found.push(info, await log.read(info.threadId, {}), await log.refusals(info.threadId));
    found.push(await allItems((page) => handle.receipts(page)));
    for (let version = info.floor; version <= info.version; version++) found.push(await handle.snapshotAt(version));
  }
  return JSON.stringify(found);
}

describe("redact", () => {
  it("leaves nothing of what the actor wrote in the log", async () => {
    const { log, thread } = await start();
    expect(await contents(log)).toContain(SECRET);
    const state = thread.getState();
    const redacted = await thread.redact({ actor: ada, by: admin });
    expect(await contents(log)).not.toContain(SECRET);
    expect(thread.getState()).toBe(state);
    expect(redacted).toMatchObject({ version: thread.version, branches: ["t~b"] });
  });

  it("keeps what others did since the actor's last commit, and every version can be read", async () => {
    const { thread } = await start();
    const { floor } = await thread.redact({ actor: ada, by: admin });
    const entries = await thread.history();
    const commits = entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    expect(commits.map(({ version }) => version)).toEqual(
      Array.from({ length: thread.version - floor }, (_, index) => floor + index + 1),
    );
    expect(commits.find(({ id }) => id === "later")).toMatchObject({ actor: bob, sentence: expect.anything() });
    expect(await thread.stateAt(floor)).toMatchObject({ notes: expect.anything() });
    expect(await thread.stateAt(thread.version)).toEqual(thread.getState());
    const undone = await thread.undo({ ids: ["later"] }, { actor: bob });
    expect(undone).toMatchObject({ accepted: true });
    expect(JSON.stringify(thread.getState())).toContain("second of bob");
  });

  it("opens again with the same state", async () => {
    const { log, thread } = await start();
    await thread.redact({ actor: ada, by: admin });
    const state = thread.getState();
    await thread.close();
    const again = await openThread({ definition: notes, log, threadId: "t" });
    expect(again.getState()).toEqual(state);
  });

  it("declines the proposals that go with it, with words", async () => {
    const { thread } = await start();
    const { proposals } = await thread.redact({ actor: ada, by: admin });
    expect(proposals.map(({ id }) => id)).toEqual(["p1", "p2"]);
    expect(await thread.proposals()).toEqual([]);
  });

  it("carries branches over: what others did there can still be merged", async () => {
    const { thread, branch } = await start();
    await thread.redact({ actor: ada, by: admin });
    const changes = await branch.diff();
    expect(changes.find(({ id }) => id === "kept")).toMatchObject({ sentence: expect.any(String) });
    const [merged] = await branch.merge({ actor: bob, ids: ["kept"] });
    expect(merged?.verdict, JSON.stringify(merged)).toMatchObject({ accepted: true });
    expect(JSON.stringify(thread.getState())).toContain("bob on the branch");
  });

  it("gives an id of the actor the verdict that it had, whatever comes under it", async () => {
    const { thread } = await start();
    await thread.redact({ actor: ada, by: admin });
    const again = await thread.dispatch(notes.op.add({ id: "n2", text: `${SECRET} 1` }), { actor: ada, id: "n2" });
    expect(again).toMatchObject({ accepted: true, version: 2 });
    const refused = await thread.submit({ type: "change", id: "nowhere", text: "x" }, { actor: ada, id: "r1" });
    expect(refused).toMatchObject({ accepted: false, rejection: { code: "refused", reason: "gone" } });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  it("leaves what the present state still contains to the application", async () => {
    const { log, thread } = await start();
    await thread.dispatch(notes.op.change({ id: "n2", text: `${SECRET} 1` }), { actor: bob });
    await thread.redact({ actor: ada, by: admin });
    expect(JSON.stringify(thread.getState())).toContain(`${SECRET} 1`);
    expect(await contents(log)).not.toContain(`${SECRET} 2`);
  });

  it.each(Array.from({ length: 24 }, (_, step) => step))(
    "that ends at write %i is finished by the next one",
    async (step) => {
      const log = memoryLog();
      let left = Infinity;
      const write = async <T>(call: () => Promise<T>): Promise<T> => {
        if ((left -= 1) < 0) throw new Error("the process ended");
        return call();
      };
      const failing: typeof log = {
        ...log,
        thread(id, of) {
          const handle = log.thread(id, of);
          return {
            ...handle,
            append: (...call) => write(() => handle.append(...call)),
            rewrite: (...call) => write(() => handle.rewrite(...call)),
            compact: (...call) => write(() => handle.compact(...call)),
          };
        },
      };
      const { thread } = await start(failing);
      left = step;
      await thread.redact({ actor: ada, by: admin }).catch(() => undefined);
      left = Infinity;
      await thread.redact({ actor: ada, by: admin });
      expect(await contents(log)).not.toContain(SECRET);
      await thread.close();
      const again = await openThread({ definition: notes, log, threadId: "t" });
      expect(again.getState()).toEqual(thread.getState());
    },
  );
});
