// A card stays the card that it was: what was undone, or edited offline, never touches another one.
// On the demo's board, over HTTP and SQLite.

import { createReplica, type Replica, type Transport } from "@opstate/core";
import { board, boardFrom, type Card } from "@opstate/kanban-domain";
import { httpTransport } from "@opstate/server/client";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { boardHost, STORES } from "./support/board-host.ts";
import { demoServer, type DemoServer } from "./support/demo-server.ts";

let demo: DemoServer;
beforeAll(async () => {
  demo = await demoServer();
});
afterAll(() => demo.close());

test("a card that was added to a cleared board stays itself when the clearing is undone", async () => {
  const chat = await demo.chat();
  await chat.ask("clear Backlog");
  await chat.edit({ type: "addCard", columnId: "backlog", title: "Mine" });
  const added = (await chat.board())!.columns[0]!.cards[0]!;
  await chat.edit({ type: "editCard", cardId: added.cardId, title: "Mine, edited" });
  await chat.ask("undo that");
  const after = (await chat.board())!;
  expect(after.columns[0]?.cards.find(({ cardId }) => cardId === added.cardId)?.title).toBe("Mine, edited");
  // And T-1 is what it was.
  expect(after.columns[0]?.cards.find(({ cardId }) => cardId === "T-1")?.title).toBe("Write the launch announcement");
});

test("the agent's card is undone, and the one that a person added then stays itself", async () => {
  const chat = await demo.chat();
  await chat.ask("add a card 'From the agent' to Backlog");
  await chat.edit({ type: "addCard", columnId: "backlog", title: "Mine" });
  const mine = (await chat.board())!.columns[0]!.cards.at(-1)!;
  await chat.edit({ type: "editCard", cardId: mine.cardId, title: "Mine, edited" });
  await chat.ask("undo that");
  expect((await chat.board())?.columns[0]?.cards.at(-1)).toEqual({ ...mine, title: "Mine, edited" });
  expect((await chat.cards())[0]).toBe("backlog: T-42 T-1 T-2 T-3 T-38 'Mine, edited'");
});

test.each(STORES)("two people who each add and edit a card offline keep their own, with a log in %s", async (store) => {
  const host = boardHost(store);
  await host.start(board, boardFrom({ columns: [{ title: "Backlog" }] }));
  const replicas: Replica<typeof board>[] = [];
  onTestFinished(() => replicas.forEach((replica) => replica.close()));
  const offline = async (id: string, isKnown: boolean) => {
    const actor = { kind: "user", id };
    const { headers } = host.as(actor);
    const { transport, connect } = laterOnline(httpTransport({ url: host.url(), threadId: "demo", headers }));
    const snapshot = { version: 1, state: await host.board() };
    const replica = createReplica({
      definition: board,
      transport,
      // One has an identity that was stored, the other does not know who is connected.
      snapshot: isKnown ? { ...snapshot, actor } : snapshot,
    });
    replicas.push(replica);
    void replica.dispatch(board.op.addCard({ columnId: "backlog", title: `${id}'s card` }));
    const { cardId } = cardsOf(replica)[0]!;
    const verdict = replica.dispatch(board.op.editCard({ cardId, title: `${id}'s card, edited` }));
    return { connect, verdict, replica, cardId };
  };
  const ada = await offline("ada", true);
  const bob = await offline("bob", false);
  ada.connect();
  expect((await ada.verdict).accepted).toBe(true);
  bob.connect();
  expect((await bob.verdict).accepted).toBe(true);
  const [first, second, ...others] = (await host.board()).columns[0]!.cards;
  expect([first?.title, second?.title, others]).toEqual(["ada's card, edited", "bob's card, edited", []]);
  expect(first?.cardId).toBe(ada.cardId);
  expect(second?.cardId).toBe(cardsOf(bob.replica).find(({ title }) => title.startsWith("bob"))?.cardId);
});

const cardsOf = (replica: Replica<typeof board>): readonly Card[] => replica.getState()?.columns[0]?.cards ?? [];

/** A transport that connects when it is told to. */
function laterOnline(real: Transport): { transport: Transport; connect: () => void } {
  let connect = (): void => undefined;
  const transport: Transport = {
    connect(options) {
      let connection: ReturnType<Transport["connect"]> | undefined;
      options.onStatus("offline");
      connect = () => (connection = real.connect(options));
      return { send: (submission) => connection?.send(submission), close: () => connection?.close() };
    },
  };
  return { transport, connect: () => connect() };
}
