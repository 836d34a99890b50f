// A thread that was deleted while it was open, and another one created with its name. The open one
// ends. It neither writes to the new thread nor shows what is in it.

import {
  createReplica,
  type Log,
  memoryLog,
  openThread,
  OpstateError,
  type Thread,
  threadTransport,
} from "@opstate/core";
import { describe, expect, it } from "vitest";
import { ada, bob, spied, tally, elsewhere } from "../tally.ts";

const open = (log: Log) => openThread({ definition: tally, log: elsewhere(log), threadId: "t", snapshotEvery: 2 });
const add = (by: number) => ({ type: "add", by }) as const;
const name = (name: string) => ({ type: "name", name }) as const;

/** `old` was deleted while it was open. `now` has its name, and is at the same version. */
async function replacedThread(log: Log = memoryLog()) {
  const old = await open(log);
  const closed: (OpstateError | undefined)[] = [];
  old.onClose((reason) => closed.push(reason));
  await old.dispatch(name("x"), { actor: ada, id: "first" });
  await log.delete("t");
  const now = await open(log);
  await now.dispatch(add(5), { actor: ada, id: "second" });
  return { log, old, now, closed };
}

describe("a thread that was deleted and created again", () => {
  it("rejects every submission and closes with the reason", async () => {
    const { old, closed } = await replacedThread();
    const verdicts = [
      old.dispatch({ type: "unname", name: "x" }, { actor: ada }),
      old.dispatch(add(1), { actor: bob }),
    ];
    for (const verdict of verdicts) await expect(verdict).rejects.toMatchObject({ code: "replaced" });
    expect(closed).toEqual([expect.objectContaining({ code: "replaced" })]);
    await expect(old.dispatch(add(1), { actor: ada })).rejects.toThrow(/"t" was deleted/);
    await old.close();
    expect(closed).toHaveLength(1);
  });

  it("leaves the new thread as it is", async () => {
    const { log, old, now } = await replacedThread();
    await expect(old.dispatch(add(1), { actor: bob })).rejects.toMatchObject({ code: "replaced" });
    const reopened = await open(log);
    expect(reopened.incarnation).toBe(now.incarnation);
    expect(reopened.getState()).toEqual({ count: 5, names: [], size: 0 });
    expect(await now.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true, version: 2 });
  });

  it("closes with the first call, whichever that is", async () => {
    const asks: readonly ((thread: Thread<typeof tally>) => Promise<unknown>)[] = [
      (thread) => thread.dispatch(add(1), { actor: ada }),
      (thread) => thread.dispatch(add(0), { actor: ada }),
      (thread) => thread.dispatch({ type: "unname", name: "nobody" }, { actor: ada }),
      (thread) => thread.dispatch(add(1), { actor: ada, expectedVersion: 0 }),
      (thread) => thread.dispatch(add(5), { actor: ada, id: "second" }),
      (thread) => thread.undo({ ids: ["first"] }, { actor: ada }),
      (thread) => thread.undo({ ids: ["second"] }, { actor: ada }),
      (thread) => thread.undo({ actor: ada }, { actor: ada }),
      (thread) => thread.propose(add(1), { actor: ada }),
      (thread) => thread.approve("p", { actor: ada }),
      (thread) => thread.history(),
      (thread) => thread.stateAt(0),
      (thread) => thread.explain("/names/0"),
      (thread) => thread.digest({ since: 0, for: bob }),
      (thread) => thread.compact({ keep: 0 }),
      (thread) => thread.branch(0),
    ];
    for (const ask of asks) {
      const { log, old, now, closed } = await replacedThread();
      await expect(ask(old), ask.toString()).rejects.toMatchObject({ code: "replaced" });
      expect(closed).toHaveLength(1);
      expect(await log.info("t")).toMatchObject({ version: 1, floor: 0 });
      expect(now.getState().count).toBe(5);
    }
  });

  it("does not show the commits of the new thread as its own when a head is announced", async () => {
    const listeners = new Set<(version: number, incarnation?: string) => void>();
    const store = memoryLog();
    const log: Log = {
      ...store,
      watch(_, onHead) {
        listeners.add(onHead);
        return () => void listeners.delete(onHead);
      },
    };
    for (const says of ["an incarnation", "a lower head", "no incarnation"]) {
      const { old, now, closed } = await replacedThread(log);
      const commits: number[] = [];
      old.onCommit(({ version }) => commits.push(version));
      for (let by = 1; by < 4; by++) await now.dispatch(add(by), { actor: ada });
      for (const onHead of [...listeners]) {
        if (says === "no incarnation") onHead(4);
        else onHead(says === "a lower head" ? 0 : 4, now.incarnation);
      }
      await expect.poll(() => closed).toHaveLength(1);
      expect(commits).toEqual([]);
      expect(old.getState().names).toEqual(["x"]);
      // The announced head is right for the new thread, which goes on.
      expect(await now.dispatch(add(1), { actor: ada })).toMatchObject({ version: 5 });
      expect(listeners.size).toBe(1);
      await now.close();
      await store.delete("t");
    }
  });

  it("ignores an announced head of another incarnation", async () => {
    const store = memoryLog();
    let announce: (version: number, incarnation?: string) => void = () => undefined;
    const thread = await open({ ...store, watch: (_, onHead) => ((announce = onHead), () => undefined) });
    for (const incarnation of ["", "of the thread before"]) announce(9, incarnation);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await thread.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true, version: 1 });
  });

  it("does not store a submission that was on its way to the log when it was deleted", async () => {
    const store = memoryLog();
    let deleteFirst = false;
    const log = spied(store, async (method) => {
      if (method !== "append" || !deleteFirst) return;
      deleteFirst = false;
      await store.delete("t");
      await open(store);
    });
    const thread = await open(log);
    deleteFirst = true;
    await expect(thread.dispatch(add(1), { actor: ada })).rejects.toMatchObject({ code: "replaced" });
    expect((await store.info("t"))?.version).toBe(0);
  });

  it("rejects also when no thread has its name any more", async () => {
    const log = memoryLog();
    const thread = await open(log);
    await log.delete("t");
    await expect(thread.dispatch(add(1), { actor: ada })).rejects.toMatchObject({ code: "replaced" });
    await expect(thread.history()).rejects.toMatchObject({ code: "replaced" });
  });

  it("rejects a read after its head", async () => {
    const { old, closed } = await replacedThread();
    await expect(old.history({ after: 9 })).rejects.toMatchObject({ code: "replaced" });
    expect(closed).toHaveLength(1);
  });

  it("may be a branch: the parent goes on", async () => {
    const log = memoryLog();
    const thread = await openThread({ definition: tally, log, threadId: "main" });
    const branch = await thread.branch(0, { id: "b" });
    await branch.dispatch(name("y"), { actor: bob });
    await log.delete("b");
    const other = await openThread({ definition: tally, log: elsewhere(log), threadId: "main" });
    const again = await other.branch(0, { id: "b" });
    await again.dispatch(add(7), { actor: bob });
    await expect(branch.merge({ actor: ada })).rejects.toMatchObject({ code: "replaced" });
    await expect(branch.dispatch(add(1), { actor: bob })).rejects.toMatchObject({ code: "replaced" });
    expect((await thread.openBranch("b"))?.getState().count).toBe(7);
    expect(await thread.dispatch(add(1), { actor: ada })).toMatchObject({ accepted: true });
  });

  it("leaves a replica offline with its pending edits, which a new replica can send to the new thread", async () => {
    const log = memoryLog();
    const old = await open(log);
    const replica = createReplica({ definition: tally, transport: threadTransport(old, { actor: ada }) });
    await log.delete("t");
    void replica.dispatch(name("mine"), { id: "m" }).catch(() => undefined);
    await expect.poll(() => replica.sync.getState().status).toBe("offline");
    const { pending } = replica.sync.getState();
    replica.close();
    const now = await open(log);
    const next = createReplica({ definition: tally, transport: threadTransport(now, { actor: ada }), pending });
    await expect.poll(() => now.getState().names).toEqual(["mine"]);
    next.close();
  });
});
