// Edits that waited for the network change what their person meant, or are refused and say so:
// over HTTP, on SQLite.

import { createReplica, defineState, type Replica, type Transport } from "@opstate/core";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { httpTransport } from "../../src/client/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";
import { ada, asUser, send, start } from "../support/server.ts";

const cards = defineState({
  name: "cards",
  schema: z.object({ cards: z.array(z.object({ id: z.string(), title: z.string() })) }),
  initial: { cards: [{ id: "T-1", title: "first" }] },
  operations: {
    addNumbered: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }) {
        draft.cards.push({ id: `T-${draft.cards.length + 1}`, title });
      },
    },
    add: {
      input: z.object({ title: z.string() }),
      apply(draft, { title }, { id }) {
        draft.cards.push({ id: id("T-"), title });
      },
    },
    removeFirst: {
      input: z.object({}),
      apply: (draft) => void draft.cards.shift(),
    },
    rename: {
      input: z.object({ id: z.string(), title: z.string() }),
      apply(draft, { id, title }, { reject }) {
        const card = draft.cards.find((each) => each.id === id);
        if (!card) return reject("not_found");
        card.title = title;
      },
    },
  },
});

/** A server on SQLite, and Bob's page, which has the state and no network yet. */
async function offline() {
  const folder = mkdtempSync(join(tmpdir(), "opstate-"));
  const log = sqliteLog({ path: join(folder, "log.db") });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { url } = await start({ definitions: [cards], log });
  const thread = `${url}/threads/t`;
  await send(thread, "PUT", { definition: "cards" });
  const { body: snapshot } = await send(thread, "GET");
  const inner = httpTransport({ url, threadId: "t", headers: asUser("bob", "read", "write") });
  let goOnline = (): void => undefined;
  const transport: Transport = {
    connect(options) {
      options.onStatus("offline");
      let line: ReturnType<Transport["connect"]> | undefined;
      goOnline = () => void (line = inner.connect(options));
      return { send: (submission) => line?.send(submission), close: () => line?.close() };
    },
  };
  const bob = createReplica({ definition: cards, transport, snapshot, actor: { kind: "user", id: "bob" } });
  onTestFinished(() => bob.close());
  const byAda = (operation: unknown) => send(`${thread}/operations`, "POST", { operation }, ada);
  const titles = async () => titlesOf((await send(thread, "GET")).body.state);
  return { thread, bob, byAda, titles, goOnline: () => goOnline() };
}

function titlesOf(state: { readonly cards: readonly { readonly title: string }[] }): readonly string[] {
  return state.cards.map(({ title }) => title);
}

/** Resolves when a replica has nothing pending and follows. */
function caughtUp(replica: Replica<typeof cards>, version: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const now = replica.sync.getState();
      if (now.version >= version && now.pending.length === 0) resolve();
    };
    replica.sync.subscribe(look);
    look();
  });
}

describe("two people each add a card while one of them is offline", () => {
  it("with ids that follow from the state, the edit of the own card never changes the other's", async () => {
    const { bob, byAda, titles, goOnline } = await offline();
    const added = bob.dispatch(cards.op.addNumbered({ title: "Bob's" }));
    const renamed = bob.dispatch(cards.op.rename({ id: "T-2", title: "Bob's, refined" }));
    await byAda(cards.op.addNumbered({ title: "Ada's" }));
    goOnline();
    expect(await added).toMatchObject({ accepted: true, version: 2 });
    expect(await renamed).toMatchObject({ accepted: false, rejection: { code: "conflict", reason: "other_thing" } });
    await caughtUp(bob, 2);
    expect(await titles()).toEqual(["first", "Ada's", "Bob's"]);
    expect(titlesOf(bob.getState())).toEqual(await titles());
  });

  it("with ids of the submission, both are accepted", async () => {
    const { bob, byAda, titles, goOnline } = await offline();
    const added = bob.dispatch(cards.op.add({ title: "Bob's" }));
    const renamed = bob.dispatch(cards.op.rename({ id: bob.getState().cards[1]!.id, title: "Bob's, refined" }));
    await byAda(cards.op.add({ title: "Ada's" }));
    goOnline();
    expect([await added, await renamed]).toMatchObject([{ accepted: true }, { accepted: true }]);
    await caughtUp(bob, 3);
    expect(await titles()).toEqual(["first", "Ada's", "Bob's, refined"]);
    expect(titlesOf(bob.getState())).toEqual(await titles());
  });
});

describe("a posted submission", () => {
  it("is checked against its things, or those that it would have changed at its version", async () => {
    const { thread, byAda } = await offline();
    await byAda(cards.op.addNumbered({ title: "Ada's" }));
    const post = (submission: object) => send(`${thread}/operations`, "POST", submission, ada);
    const operation = cards.op.rename({ id: "T-2", title: "x" });
    expect(await post({ operation, basedOn: 0, things: ["/cards/0"] })).toMatchObject({
      status: 409,
      body: { rejection: { code: "conflict", reason: "other_thing", details: { things: ["/cards/1"] } } },
    });
    // On that version it does not hold: nobody knows what it was for.
    expect(await post({ operation, basedOn: 0 })).toMatchObject({ status: 200 });
    expect(await post({ operation: cards.op.rename({ id: "T-1", title: "y" }), basedOn: 0 })).toMatchObject({
      status: 200,
    });
    expect(await post({ operation, basedOn: 77 })).toMatchObject({ body: { rejection: { path: "/basedOn" } } });
  });

  it.each([
    [{ basedOn: -1 }, '"basedOn" must be a whole number'],
    [{ basedOn: 0, things: "/cards/0" }, '"things" must be a list'],
    [{ basedOn: 0, things: ["cards"] }, '"things" must have JSON Pointers'],
    [{ basedOn: 0, things: [{ by: "a", part: 0 }] }, '"things" must have JSON Pointers'],
    [{ basedOn: 0, things: Array.from({ length: 1_001 }, () => "") }, "at most 1000 things"],
  ])("with %j is refused as a body", async (basis, text) => {
    const { thread } = await offline();
    const answer = await send(
      `${thread}/operations`,
      "POST",
      { operation: { type: "add", title: "x" }, ...basis },
      ada,
    );
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(text) } });
  });
});

it("an edit whose parts would undo one another by now is refused, and nothing says that it was accepted", async () => {
  const { bob, byAda, titles, goOnline } = await offline();
  const operations = [cards.op.add({ title: "Bob's" }), cards.op.removeFirst({})];
  const replaced = bob.submit({ type: "$batch", operations });
  expect(titlesOf(bob.getState())).toEqual(["Bob's"]);
  await byAda(cards.op.removeFirst({}));
  goOnline();
  expect(await replaced).toMatchObject({ accepted: false, rejection: { code: "conflict", reason: "other_thing" } });
  await caughtUp(bob, 1);
  expect([await titles(), titlesOf(bob.getState())]).toEqual([[], []]);
});
