import { createReplica, memoryLog, openThread, threadTransport, type Transport } from "@opstate/core";
import { transportContract } from "@opstate/core/testing";
import { describe, expect, it } from "vitest";
import { ada, bob, spied, tally } from "../thread/tally.ts";

describe("threadTransport", () => {
  const cases = transportContract({
    async open(definition) {
      const log = memoryLog();
      let thread = await openThread({ definition, log, threadId: "t" });
      return {
        transport: (actor) => ({ connect: (line) => threadTransport(thread, { actor }).connect(line) }),
        async replace() {
          await thread.close();
          await log.delete("t");
          thread = await openThread({ definition, log, threadId: "t" });
        },
      };
    },
  });
  for (const { name, run } of cases) it(name, run);

  it("has the state of the thread at once", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    await thread.dispatch({ type: "add", by: 3 }, { actor: bob });
    const replica = createReplica({ definition: tally, transport: threadTransport(thread, { actor: ada }) });
    expect(replica.getState()).toEqual(thread.getState());
    // The page's build makes a copy: only the full engine knows its states again.
    expect(replica.getState() === thread.getState()).toBe("known" in tally.model);
    expect(replica.sync.getState()).toEqual({ status: "online", ready: true, version: 1, pending: [], rejections: [] });
  });

  it("catches up from an older version while new commits arrive", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    for (let by = 1; by <= 5; by++) await thread.dispatch({ type: "add", by }, { actor: bob });
    const versions: number[] = [];
    const replica = createReplica({
      definition: tally,
      transport: threadTransport(thread, { actor: ada }),
      snapshot: { version: 2, state: { count: 3, names: [], size: 0 } },
    });
    replica.onCommit(({ version }) => versions.push(version));
    await Promise.all([6, 7].map((by) => thread.dispatch({ type: "add", by }, { actor: bob })));
    await replica.dispatch({ type: "add", by: 8 });
    expect(versions).toEqual([3, 4, 5, 6, 7, 8]);
    expect(replica.getState().count).toBe(36);
  });

  it("sends a snapshot when the log no longer has the commits", async () => {
    const log = memoryLog();
    const thread = await openThread({
      definition: tally,
      log: {
        ...log,
        read: async (threadId, range) => (await log.read(threadId, range)).filter(({ version }) => version > 3),
      },
      threadId: "t",
    });
    for (let by = 1; by <= 5; by++) await thread.dispatch({ type: "add", by }, { actor: bob });
    const snapshot = { version: 2, state: { count: 3, names: [], size: 0 } };
    let connections = 0;
    const { connect } = threadTransport(thread, { actor: ada });
    const counted: Transport = { connect: (line) => ((connections += 1), connect(line)) };
    const replica = createReplica({ definition: tally, transport: counted, snapshot });
    await new Promise<void>((resolve) => void replica.subscribe(() => resolve()));
    expect([replica.sync.getState().version, replica.getState(), connections]).toEqual([5, thread.getState(), 1]);
  });

  /** A replica of a thread whose log stores nothing until `repair` is called. */
  async function withFullDisk() {
    let isFull = true;
    const log = spied(memoryLog(), (method) => {
      if (isFull && method === "append") throw new Error("disk full");
    });
    const thread = await openThread({ definition: tally, log, threadId: "t" });
    const replica = createReplica({ definition: tally, transport: threadTransport(thread, { actor: ada }) });
    return { thread, replica, repair: () => void (isFull = false) };
  }

  async function withUnstoredEdit() {
    const { thread, replica, repair } = await withFullDisk();
    const first = replica.dispatch({ type: "add", by: 1 });
    await expect(thread.dispatch({ type: "add", by: 9 }, { actor: bob })).rejects.toThrow("disk full");
    return { thread, replica, repair, first };
  }

  it("goes offline and keeps an edit that could not be stored", async () => {
    const { replica, first } = await withUnstoredEdit();
    expect(first).toBeInstanceOf(Promise);
    expect(replica.sync.getState().status).toBe("offline");
    expect(replica.getState().count).toBe(1);
    expect(replica.sync.getState().pending).toHaveLength(1);
  });

  it("sends an edit that could not be stored again before the next one", async () => {
    const { thread, replica, repair, first } = await withUnstoredEdit();
    repair();
    expect(await replica.dispatch({ type: "add", by: 2 })).toMatchObject({ accepted: true, version: 2 });
    expect(await first).toMatchObject({ accepted: true, version: 1 });
    expect(thread.getState().count).toBe(3);
  });

  it("sends edits that could not be stored again in order as soon as the thread stores anything", async () => {
    const { thread, replica, repair } = await withFullDisk();
    const offline = new Promise<void>(
      (resolve) => void replica.sync.subscribe(({ status }) => status === "offline" && resolve()),
    );
    const verdicts = ["a", "b"].map((name) => replica.dispatch({ type: "name", name }));
    await offline;
    repair();
    await thread.dispatch({ type: "add", by: 5 }, { actor: bob });
    expect((await Promise.all(verdicts)).map(({ version }) => version)).toEqual([2, 3]);
    expect(replica.sync.getState()).toMatchObject({ status: "online", pending: [], version: 3 });
  });

  it("gives onError of the replica what one of its listeners throws", async () => {
    const errors: unknown[] = [];
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const transport = threadTransport(thread, { actor: ada });
    const replica = createReplica({ definition: tally, transport, onError: (error) => errors.push(error) });
    const faulty = () => {
      throw new Error("listener bug");
    };
    for (const listen of [replica.subscribe, replica.onCommit]) listen(faulty);
    expect((await replica.dispatch({ type: "add", by: 1 })).accepted).toBe(true);
    expect(errors.map(String)).toEqual(["Error: listener bug", "Error: listener bug"]);
  });

  it("goes offline when the thread is closed", async () => {
    const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
    const replica = createReplica({ definition: tally, transport: threadTransport(thread, { actor: ada }) });
    await thread.close();
    void replica.dispatch({ type: "add", by: 1 });
    await new Promise<void>(
      (resolve) => void replica.sync.subscribe(({ status }) => status === "offline" && resolve()),
    );
    expect(replica.getState().count).toBe(1);
    replica.close();
  });
});
