// A card stays the card that it was: what was undone, or edited offline, never touches another one.
// On the demo's board, over HTTP and SQLite.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actor, createReplica, type Replica, type Snapshot, type Transport } from "@opstate/core";
import { type Board, board, type Card } from "@opstate/kanban-domain";
import { createServer, listen } from "@opstate/server";
import { httpTransport, threadClient } from "@opstate/server/client";
import { sqliteLog } from "@opstate/server/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("two people who each add and edit a card offline keep their own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kanban-same-card-"));
  const log = sqliteLog({ path: join(folder, "demo.sqlite") });
  const server = createServer({
    definitions: [board],
    log,
    authorize: (request) => ({
      actor: { kind: request.headers.get("x-kind") ?? "user", id: request.headers.get("x-user") ?? "nobody" },
      allows: () => true,
    }),
  });
  const { url, close } = await listen(server.fetch);
  const replicas: Replica<typeof board>[] = [];
  try {
    const headers = (user: string, kind = "user") => ({ "x-user": user, "x-kind": kind });
    await fetch(`${url}/threads/demo`, {
      method: "PUT",
      headers: { "content-type": "application/json", ...headers("robot", "agent") },
      body: JSON.stringify({ definition: "board" }),
    });
    await fetch(`${url}/threads/demo/operations`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers("robot", "agent") },
      body: JSON.stringify({ operation: { columns: [{ columnId: "backlog", title: "Backlog", cards: [] }] } }),
    });
    const offline = async (user: string, isKnown: boolean) => {
      const response = await fetch(`${url}/threads/demo`, { headers: headers(user) });
      const body: unknown = await response.json();
      const { actor, ...snapshot } = body as Snapshot<Board | null> & { readonly actor: Actor };
      const { transport, connect } = laterOnline(httpTransport({ url, threadId: "demo", headers: headers(user) }));
      const replica = createReplica({
        definition: board,
        transport,
        // One has an identity that was stored, the other does not know who is connected.
        snapshot: isKnown ? { ...snapshot, actor } : snapshot,
      });
      replicas.push(replica);
      void replica.dispatch(board.op.addCard({ columnId: "backlog", title: `${user}'s card` }));
      const { cardId } = cardsOf(replica)[0]!;
      const verdict = replica.dispatch(board.op.editCard({ cardId, title: `${user}'s card, edited` }));
      return { connect, verdict, replica, cardId };
    };
    const ada = await offline("ada", true);
    const bob = await offline("bob", false);
    ada.connect();
    expect((await ada.verdict).accepted).toBe(true);
    bob.connect();
    expect((await bob.verdict).accepted).toBe(true);
    const cards = (await threadClient<typeof board>({ url, threadId: "demo", headers: headers("ada") }).stateAt(5))
      .state!.columns[0]!.cards;
    expect(cards.map(({ title }) => title)).toEqual(["ada's card, edited", "bob's card, edited"]);
    expect(cards[0]?.cardId).toBe(ada.cardId);
    expect(cards[1]?.cardId).toBe(cardsOf(bob.replica).find(({ title }) => title.startsWith("bob"))?.cardId);
  } finally {
    for (const replica of replicas) replica.close();
    await close();
    await server.close();
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
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
