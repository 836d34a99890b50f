import {
  type Actor,
  createReplica,
  defineState,
  memoryLog,
  openThread,
  type Thread,
  threadTransport,
  type Transport,
} from "@opstate/core";
import type { Submission, TransportMessage, TransportStatus } from "@opstate/core/transport";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const notes = defineState({
  name: "notes",
  schema: z.object({
    notes: z.array(z.object({ id: z.string(), text: z.string(), at: z.string() })),
    pinned: z.record(z.string(), z.boolean()),
  }),
  initial: { notes: [], pinned: {} },
  operations: {
    add: {
      input: z.object({ text: z.string() }),
      apply(draft, { text }, { id, now }) {
        draft.notes.push({ id: id("N-"), text, at: now });
      },
    },
    edit: {
      input: z.object({ id: z.string(), text: z.string() }),
      apply(draft, { id, text }, { reject }) {
        const note = draft.notes.find((each) => each.id === id);
        if (note === undefined) return reject("note_not_found", `There is no note "${id}".`);
        note.text = text;
      },
    },
    pin: {
      input: z.object({ notes: z.record(z.string(), z.boolean()) }),
      apply(draft, { notes: pinned }) {
        Object.assign(draft.pinned, pinned);
      },
    },
  },
});

const ada: Actor = { kind: "user", id: "ada" };
const early = "2030-01-01T08:00:00.000Z";
const late = "2030-01-01T09:00:00.000Z";

const open = (threadId = "t") => openThread({ definition: notes, log: memoryLog(), threadId, clock: () => late });

/** A transport to a thread that is offline until `connect` is called. */
function offline(thread: Thread<typeof notes>): { transport: Transport; connect: () => void } {
  let connect = (): void => undefined;
  const transport: Transport = {
    connect({ onStatus, ...options }) {
      let real: ReturnType<Transport["connect"]> | undefined;
      onStatus("offline");
      connect = () => {
        const through = threadTransport(thread, { actor: ada });
        real = through.connect({ ...options, onStatus: () => undefined });
        onStatus("online");
      };
      return { send: (submission) => real?.send(submission), close: () => real?.close() };
    },
  };
  return { transport, connect: () => connect() };
}

const snapshotOf = ({ version, getState, incarnation }: Thread<typeof notes>) => ({
  version,
  state: getState(),
  incarnation,
});

describe("what a replica's pending operations create", () => {
  it("has the id that the authority gives it", async () => {
    const thread = await open();
    const transport = threadTransport(thread, { actor: ada });
    const replica = createReplica({ definition: notes, transport });
    const verdict = replica.dispatch(notes.op.add({ text: "a" }));
    const [shown] = replica.getState().notes;
    await verdict;
    expect(replica.getState().notes).toMatchObject([{ id: shown?.id }]);
    expect(thread.getState().notes).toMatchObject([{ id: shown?.id }]);
  });

  it.each(["actor", "snapshot"] as const)(
    "has its final id offline, where the actor is known by the %s",
    async (by) => {
      const thread = await open();
      const { transport, connect } = offline(thread);
      const snapshot = snapshotOf(thread);
      const replica = createReplica({
        definition: notes,
        transport,
        ...(by === "actor" ? { snapshot, actor: ada } : { snapshot: { ...snapshot, actor: ada } }),
      });
      const verdict = replica.dispatch(notes.op.add({ text: "a" }));
      const [shown] = replica.getState().notes;
      expect(replica.sync.getState().pending[0]).not.toHaveProperty("provisional");
      connect();
      await verdict;
      expect(thread.getState().notes).toMatchObject([{ id: shown?.id }]);
    },
  );

  it("is provisional where the actor is not known, and what names it follows when it is", async () => {
    const thread = await open();
    const { transport, connect } = offline(thread);
    const replica = createReplica({ definition: notes, transport, snapshot: snapshotOf(thread) });
    void replica.dispatch(notes.op.add({ text: "a" }));
    const id = replica.getState().notes[0]!.id;
    void replica.dispatch(notes.op.edit({ id, text: "b" }));
    const last = replica.dispatch(notes.op.pin({ notes: { [id]: true, other: false } }));
    expect(replica.sync.getState().pending).toMatchObject([
      { provisional: true },
      { provisional: true },
      { provisional: true },
    ]);
    connect();
    expect(replica.sync.getState().pending.some(({ provisional }) => provisional)).toBe(false);
    const final = replica.getState();
    expect(final.notes[0]?.id).not.toBe(id);
    expect(final.pinned).toEqual({ [final.notes[0]!.id]: true, other: false });
    await last;
    expect(thread.getState()).toEqual({ ...final, notes: [{ ...final.notes[0], text: "b", at: late }] });
    expect(replica.getState()).toEqual(thread.getState());
  });

  it("is not sent in the name of another person than the one that was stored", async () => {
    const thread = await open();
    const { transport, connect } = offline(thread);
    const actor: Actor = { kind: "user", id: "bob" };
    const replica = createReplica({ definition: notes, transport, snapshot: snapshotOf(thread), actor });
    const verdict = replica.dispatch(notes.op.add({ text: "a" }));
    connect();
    expect(await verdict).toMatchObject({ accepted: false, rejection: { reason: "other_actor" } });
    expect([thread.getState(), replica.getState()]).toEqual([notes.initial, notes.initial]);
  });

  it("has the same id on a branch, and another one than on the parent", async () => {
    const thread = await open();
    const branch = await thread.branch();
    const ids = await Promise.all(
      [thread, branch].map(async (each) => {
        const transport = threadTransport(each, { actor: ada });
        const replica = createReplica({ definition: notes, transport });
        const verdict = replica.dispatch(notes.op.add({ text: "a" }), { id: "same" });
        const shown = replica.getState().notes[0]?.id;
        await verdict;
        expect(each.getState().notes[0]?.id).toBe(shown);
        return shown;
      }),
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("keeps its id and its time over a reload", async () => {
    const thread = await open();
    const first = createReplica({
      definition: notes,
      transport: offline(thread).transport,
      snapshot: snapshotOf(thread),
      actor: ada,
      clock: () => early,
    });
    void first.dispatch(notes.op.add({ text: "a" }));
    const shown = first.getState();
    expect(shown.notes[0]?.at).toBe(early);
    const second = createReplica({
      definition: notes,
      transport: offline(thread).transport,
      snapshot: snapshotOf(thread),
      actor: ada,
      pending: JSON.parse(JSON.stringify(first.sync.getState().pending)),
      clock: () => "2030-01-02T00:00:00.000Z",
    });
    expect(second.getState()).toEqual(shown);
  });
});

describe("the time of a pending operation", () => {
  it("is the clock when it was dispatched, and the authority's when it is confirmed", async () => {
    const thread = await open();
    const { transport, connect } = offline(thread);
    let time = early;
    const replica = createReplica({ definition: notes, transport, snapshot: snapshotOf(thread), clock: () => time });
    const verdict = replica.dispatch(notes.op.add({ text: "a" }));
    time = "2030-01-01T08:30:00.000Z";
    await thread.dispatch(notes.op.add({ text: "b" }), { actor: { kind: "user", id: "bob" } });
    connect();
    expect(replica.getState().notes.map(({ at }) => at)).toContain(early);
    await verdict;
    expect(replica.getState().notes.map(({ at }) => at)).toEqual([late, late]);
  });

  it("is not sent: the authority has a clock of its own", async () => {
    const thread = await open();
    const sent: Submission[] = [];
    let line: { onMessage(message: TransportMessage): void; onStatus(status: TransportStatus): void } | undefined;
    const transport: Transport = {
      connect(options) {
        line = options;
        return { send: (submission) => sent.push(submission), close: () => undefined };
      },
    };
    const replica = createReplica({ definition: notes, transport, snapshot: snapshotOf(thread), actor: ada });
    void replica.dispatch(notes.op.add({ text: "a" }), { id: "s" });
    line?.onMessage({ type: "welcome", actor: ada });
    line?.onStatus("online");
    expect(sent).toMatchObject([{ id: "s", operation: notes.op.add({ text: "a" }) }]);
  });
});
