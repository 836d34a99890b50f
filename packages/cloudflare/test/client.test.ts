// Pages with several threads, each in an object of its own, on one stream or on a socket for each.

import { createClient } from "@opstate/client";
import { socketCarrier } from "@opstate/client/carriers";
import type { Actor, Readable } from "@opstate/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { counter } from "../../core/src/testing/shared/contract-counter.ts";
import { credentials, type Edge, send, startEdge } from "./support/edge.ts";

const [ada, bob]: readonly [Actor, Actor] = [
  { kind: "user", id: "ada" },
  { kind: "user", id: "bob" },
];

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge.kill());

async function threads(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => `page-${crypto.randomUUID()}`);
  for (const id of ids) await send(`${edge.url}/threads/${id}`, "PUT", { definition: "contract-counter" });
  return ids;
}

function pageOf(actor: Actor, sockets: boolean) {
  const client = createClient({
    url: edge.url,
    headers: credentials(actor),
    ...(sockets && { carrier: socketCarrier }),
  });
  onTestFinished(() => client.close());
  return client;
}

function until<T>(readable: Readable<T>, holds: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const value = readable.getState();
      if (!holds(value)) return;
      end();
      resolve(value);
    };
    const end = readable.subscribe(look);
    look();
  });
}

describe.each([
  ["on one stream", false],
  ["on sockets", true],
])("%s, pages", (_, sockets) => {
  it("see each other's edits, and go on when the object of one thread is ended", async () => {
    const ids = await threads(3);
    const [mine, theirs] = [ada, bob].map((actor) => {
      const client = pageOf(actor, sockets);
      return ids.map((id) => client.thread(counter, id));
    });
    for (const [index, thread] of (mine ?? []).entries()) {
      const seen = until(theirs![index]!, (state) => state?.count === index + 1);
      expect(await thread.dispatch({ type: "add", by: index + 1 })).toMatchObject({ accepted: true });
      await seen;
    }
    await edge.end("OPSTATE_THREADS", ids[0]!);
    const [first, second] = [
      until(theirs![0]!, (state) => state?.count === 11),
      until(theirs![1]!, (state) => state?.count === 12),
    ];
    await Promise.all([mine![0]!, mine![1]!].map((thread) => thread.dispatch({ type: "add", by: 10 })));
    await Promise.all([first, second]);
  });

  it("follow one more thread later, in another object, and see who is there", async () => {
    const [a = "", b = ""] = await threads(2);
    const [mine, theirs] = [pageOf(ada, sockets), pageOf(bob, sockets)];
    await until(mine.thread(counter, a), (state) => state !== undefined);
    const later = mine.thread(counter, b);
    const seen = until(theirs.thread(counter, b).presence, (others) => others.length === 1);
    const end = later.presence.subscribe(() => undefined);
    onTestFinished(end);
    later.presence.show({ focus: "/count" });
    expect(await seen).toMatchObject([{ actor: ada, focus: "/count" }]);
    // A page does not take itself for another one.
    expect(later.presence.getState()).toEqual([]);
  });
});
