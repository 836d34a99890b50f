// A snapshot that has an own edit whose verdict has not come: the answer was lost, or the page was
// loaded again in the meantime. What the edit creates has an id, and no id is in the view twice.

import { createReplica, memoryLog, openThread, type Transport } from "@opstate/core";
import type { Submission, TransportMessage } from "@opstate/core/transport";
import { describe, expect, it } from "vitest";
import { ada, bob } from "../thread/tally.ts";
import { cards, titlesOf } from "./cards.ts";

async function world() {
  const thread = await openThread({ definition: cards, log: memoryLog(), threadId: "c" });
  const sent: Submission[] = [];
  let tell: (message: TransportMessage) => void = () => undefined;
  const transport: Transport = {
    connect({ onMessage, onStatus }) {
      tell = onMessage;
      onStatus("online");
      return { send: (submission) => sent.push(submission), close: () => undefined };
    },
  };
  const snapshot = () => ({ version: thread.version, state: thread.getState() });
  /** It arrives at the authority, which answers. */
  const judge = async ({ id, operation }: Submission): Promise<TransportMessage> => ({
    type: "verdict",
    id,
    verdict: await thread.submit(operation, { actor: ada, id }),
  });
  return { thread, transport, sent, snapshot, judge, tell: (message: TransportMessage) => tell(message) };
}

const twice = (state: { readonly cards: readonly { readonly id: string }[] }) =>
  state.cards.length - new Set(state.cards.map(({ id }) => id)).size;

describe("a snapshot that has an own edit already", () => {
  it("shows it once, with what was made of it since, until the verdict comes", async () => {
    const { thread, transport, sent, snapshot, judge, tell } = await world();
    const replica = createReplica({ definition: cards, transport, actor: ada, snapshot: snapshot() });
    const added = replica.dispatch(cards.op.add({ title: "D" }));
    const { id } = replica.getState().cards.at(-1)!;
    await judge(sent[0]!);
    void replica.dispatch(cards.op.rename({ id, title: "E" }));
    await thread.submit(cards.op.remove({ id: "T-1" }), { actor: bob });
    tell({ type: "snapshot", snapshot: snapshot() });
    expect(titlesOf(replica.getState())).toBe("B C E");
    expect(twice(replica.getState())).toBe(0);
    expect(replica.sync.getState().pending).toHaveLength(2);
    for (const submission of sent.slice(0, 2)) tell(await judge(submission));
    expect(await added).toMatchObject({ accepted: true, version: 1 });
    tell({ type: "snapshot", snapshot: snapshot() });
    expect(titlesOf(replica.getState())).toBe("B C E");
    expect(replica.sync.getState().pending).toEqual([]);
  });

  it("is what a page was rendered from, and the edit was stored: it shows once from the first render on", async () => {
    const { thread, transport, sent, snapshot, judge, tell } = await world();
    const stored = { id: "s1", operation: cards.op.add({ title: "D" }), at: "2026-01-01T00:00:00.000Z" };
    await thread.submit(stored.operation, { actor: ada, id: stored.id });
    const restoredLater = createReplica({ definition: cards, transport, actor: ada, snapshot: snapshot() });
    restoredLater.restore({ pending: [stored], actor: ada });
    const restoredFirst = createReplica({
      definition: cards,
      transport,
      actor: ada,
      snapshot: snapshot(),
      pending: [stored],
    });
    for (const replica of [restoredLater, restoredFirst]) {
      expect(titlesOf(replica.getState())).toBe("A B C D");
      expect(replica.sync.getState().pending).toHaveLength(1);
    }
    tell(await judge(sent.at(-1)!));
    expect(restoredFirst.sync.getState().pending).toEqual([]);
    expect(titlesOf(restoredFirst.getState())).toBe("A B C D");
  });

  it("shows one that it has not", async () => {
    const { thread, transport, snapshot, tell } = await world();
    const replica = createReplica({ definition: cards, transport, actor: ada, snapshot: snapshot() });
    void replica.dispatch(cards.op.add({ title: "D" }));
    await thread.submit(cards.op.add({ title: "Bob's" }), { actor: bob });
    tell({ type: "snapshot", snapshot: snapshot() });
    expect(titlesOf(replica.getState())).toBe("A B C Bob's D");
  });
});
