// What was stored by an earlier replica and comes after this one was created, and edits that are
// made before anything is known of the thread.

import { createReplica, defineState, memoryLog, openThread, threadTransport } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ada, bob, tally } from "../thread/tally.ts";
import { add, bench, name, pendingOf } from "./bench.ts";
import { cards, titlesOf } from "./cards.ts";
import { gate } from "./gate.ts";

const storedState = { count: 7, names: ["x"], size: 1 };
const stored = { version: 4, state: storedState };

describe("an edit before the first confirmed state", () => {
  it("shows at once on the initial state", async () => {
    const { replica, line } = await bench({}, false);
    const seen: number[] = [];
    replica.subscribe(({ count }) => seen.push(count));
    void replica.dispatch(add(2));
    void replica.dispatch(add(3));
    expect(replica.getState().count).toBe(5);
    expect(seen).toEqual([2, 5]);
    expect(replica.sync.getState()).toMatchObject({ ready: false, version: 0 });
    expect(line().sent).toEqual([]);
  });

  it("shows again on the confirmed state, and is sent there", async () => {
    const { replica, line, commit, snapshot, judge } = await bench({}, false);
    await commit(add(10));
    const verdict = replica.dispatch(add(2));
    line().message(snapshot());
    line().status("online");
    expect(replica.getState().count).toBe(12);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: true, version: 2 });
  });

  it("waits when the initial state refuses it: the confirmed one may not", async () => {
    const { replica, line, commit, snapshot } = await bench({}, false);
    await commit(name("x"));
    let isDecided = false;
    void replica.dispatch({ type: "unname", name: "x" }).then(() => (isDecided = true));
    void replica.dispatch(name("y"));
    expect(replica.getState().names).toEqual(["y"]);
    await Promise.resolve();
    expect(isDecided).toBe(false);
    line().message(snapshot());
    expect(replica.getState().names).toEqual(["y"]);
    expect(pendingOf(replica)).toHaveLength(2);
  });

  it("waits where there is no state yet", async () => {
    const note = defineState({
      name: "note",
      schema: z.object({ text: z.string() }),
      initial: null,
      operations: {
        write: { input: z.object({ text: z.string() }), apply: (draft, { text }) => void (draft.text = text) },
      },
    });
    const thread = await openThread({ definition: note, log: memoryLog(), threadId: "n" });
    await thread.dispatch({ text: "first" }, { actor: { kind: "system", id: "s" } });
    const line = gate(threadTransport(thread, { actor: ada }));
    line.down();
    const replica = createReplica({ definition: note, transport: line.transport });
    const verdict = replica.dispatch(note.op.write({ text: "second" }));
    expect(replica.getState()).toBeNull();
    line.up();
    expect(replica.getState()).toEqual({ text: "second" });
    expect((await verdict).accepted).toBe(true);
  });

  it("has its final ids once it is known who made it", async () => {
    const thread = await openThread({ definition: cards, log: memoryLog(), threadId: "c" });
    const line = gate(threadTransport(thread, { actor: ada }));
    line.down();
    const replica = createReplica({ definition: cards, transport: line.transport });
    const added = replica.dispatch(cards.op.add({ title: "D" }));
    const id = replica.getState().cards.at(-1)!.id;
    const renamed = replica.dispatch(cards.op.rename({ id, title: "E" }));
    expect(titlesOf(replica.getState())).toBe("A B C E");
    line.up();
    expect(await Promise.all([added, renamed])).toMatchObject([{ accepted: true }, { accepted: true }]);
    expect(titlesOf(thread.getState())).toBe("A B C E");
  });
});

describe("a replica that is given what was stored", () => {
  it("shows the stored state, and continues from it", async () => {
    const { replica, lines, line } = await bench({}, false);
    replica.restore({ snapshot: { ...stored, incarnation: "one" } });
    expect(replica.getState()).toEqual(storedState);
    expect(replica.sync.getState()).toMatchObject({ ready: true, version: 4 });
    await replica.ready();
    expect(lines.map(({ open }) => open)).toEqual([false, true]);
    expect(line().after).toBe(4);
  });

  it("puts stored edits before those that were made since", async () => {
    const { replica, line } = await bench({}, false);
    void replica.dispatch(name("second"));
    replica.restore({ snapshot: stored, pending: [{ id: "p", operation: name("first") }] });
    expect(replica.getState().names).toEqual(["x", "first", "second"]);
    line().status("online");
    expect(line().sent.map(({ operation }) => operation)).toEqual([name("first"), name("second")]);
  });

  it("gives the verdict of a stored edit to a caller that dispatches it again", async () => {
    const { replica, line, judge } = await bench({}, false);
    replica.restore({ snapshot: { version: 0, state: tally.initial }, pending: [{ id: "p", operation: add(1) }] });
    const verdict = replica.dispatch(add(1), { id: "p" });
    line().status("online");
    expect(line().sent).toHaveLength(1);
    line().message(await judge(line().sent[0]!));
    expect(await verdict).toMatchObject({ accepted: true, version: 1 });
  });

  it("leaves out an older state than the one that is there, and restores the edits", async () => {
    const { replica, line, commit, snapshot } = await bench({}, false);
    for (let count = 0; count < 6; count++) await commit(add(1));
    line().message(snapshot());
    line().status("online");
    replica.restore({ snapshot: stored, pending: [{ id: "p", operation: add(10) }] });
    expect(replica.getState()).toMatchObject({ count: 16, names: [] });
    expect(line().sent.map(({ id }) => id)).toEqual(["p"]);
  });

  it("leaves out the state of another thread of that name", async () => {
    const { replica, line, snapshot } = await bench({}, false);
    line().message({ type: "welcome", actor: ada, incarnation: "new" });
    line().message(snapshot());
    const pending = [{ id: "p", operation: add(10), incarnation: "old", basedOn: 4, things: [] }];
    replica.restore({ snapshot: { ...stored, incarnation: "old" }, pending, actor: ada });
    expect(replica.getState().count).toBe(10);
    line().status("online");
    // Versions of the old thread say nothing of this one.
    expect(line().sent).toEqual([{ id: "p", operation: add(10) }]);
  });

  it("sends the edits of a stored actor when the authority confirms the same one", async () => {
    const { replica, line } = await bench({}, false);
    replica.restore({ snapshot: stored, pending: [{ id: "p", operation: add(1) }], actor: ada });
    line().message({ type: "welcome", actor: ada });
    line().status("online");
    expect(line().sent).toHaveLength(1);
    expect(replica.getState().count).toBe(8);
  });

  it("shows and sends nothing of it to another actor", async () => {
    const { replica, line, snapshot } = await bench({}, false);
    replica.restore({ snapshot: stored, pending: [{ id: "p", operation: add(1) }], actor: ada });
    const own = replica.dispatch(add(2));
    line().message({ type: "welcome", actor: bob });
    expect(replica.getState()).toEqual(tally.initial);
    expect(replica.sync.getState()).toMatchObject({ ready: false, pending: [] });
    expect(await own).toMatchObject({ accepted: false, rejection: { reason: "other_actor" } });
    expect(line().after).toBeUndefined();
    line().message({ type: "welcome", actor: bob });
    line().message(snapshot());
    line().status("online");
    expect(line().sent).toEqual([]);
    await replica.ready();
    expect(replica.snapshot()).toMatchObject({ version: 0, actor: bob });
  });

  it("uses nothing that another actor left than the one who is connected", async () => {
    const { replica, line } = await bench();
    line().message({ type: "welcome", actor: bob });
    replica.restore({ snapshot: stored, pending: [{ id: "p", operation: add(1) }], actor: ada });
    expect(replica.sync.getState().pending).toEqual([]);
    expect(replica.getState().count).toBe(0);
  });

  it("connects for stored edits without a subscriber", async () => {
    const { replica, lines } = await bench({ connect: "while watched" }, false);
    expect(lines).toEqual([]);
    replica.restore({ snapshot: stored });
    expect(lines).toEqual([]);
    replica.restore({ pending: [{ id: "p", operation: add(1) }] });
    expect(lines).toHaveLength(1);
  });
});

describe("what a replica gives to be stored", () => {
  it("is the confirmed state without the edits that wait", async () => {
    const { replica, line, commit } = await bench({}, false);
    expect(replica.snapshot()).toBeUndefined();
    await commit(add(3));
    line().message({ type: "welcome", actor: ada, incarnation: "one", branch: true });
    line().message({ type: "snapshot", snapshot: { version: 1, state: { count: 3, names: [], size: 0 } } });
    void replica.dispatch(add(1));
    expect(replica.snapshot()).toEqual({
      version: 1,
      state: { count: 3, names: [], size: 0 },
      incarnation: "one",
      actor: ada,
      parent: {},
    });
  });
});

describe("state and sync", () => {
  it("agree at every moment in which they are read", async () => {
    const { replica, line, commit } = await bench();
    const pairs: string[] = [];
    const read = (): void => {
      const { version, pending } = replica.sync.getState();
      const { count } = replica.getState();
      // Each commit adds 1 and each pending edit 100.
      pairs.push(`${count} = ${version} + ${pending.length * 100}`);
      expect(count).toBe(version + pending.length * 100);
    };
    replica.subscribe(read);
    replica.sync.subscribe(read);
    replica.onCommit(read);
    for (let round = 0; round < 5; round++) {
      void replica.dispatch(add(100));
      line().message({ type: "commits", commits: [await commit(add(1))] });
    }
    expect(pairs.length).toBeGreaterThan(10);
  });
});
