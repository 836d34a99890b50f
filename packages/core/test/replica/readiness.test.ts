// Waiting for the first confirmed state: it comes, or the authority does not give it; and another
// try is another wait.

import { createReplica, memoryLog, openThread, threadTransport, type Transport } from "@opstate/core";
import type { TransportStatus } from "@opstate/core/transport";
import { expect, it } from "vitest";
import { ada, tally } from "../thread/tally.ts";

/**
 * An authority that gives its answer to each connection: a status that does not heal, or the
 * thread's own stream.
 */
async function bench(answer: TransportStatus = "forbidden", connect: "at once" | "while watched" = "at once") {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const inner = threadTransport(thread, { actor: ada });
  const authority = { answer: answer as TransportStatus | "let in", connects: 0, error: new Error("Not yours") };
  const transport: Transport = {
    connect(options) {
      authority.connects += 1;
      let connection: ReturnType<Transport["connect"]> | undefined;
      const ask = () => {
        // "online" leads to sending, which needs the connection.
        const onStatus = (status: TransportStatus) => queueMicrotask(() => options.onStatus(status));
        if (authority.answer === "let in") connection = inner.connect({ ...options, onStatus });
        else options.onStatus(authority.answer, authority.error);
      };
      queueMicrotask(ask);
      return { send: (submission) => connection?.send(submission), retry: ask, close: () => connection?.close() };
    },
  };
  const replica = createReplica({ definition: tally, transport, connect });
  return { replica, authority };
}

/** Long enough for everything that needs no outside event. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it.each(["unauthenticated", "forbidden", "not_found"] as const)(
  "rejects when the authority's answer is %s, and says why",
  async (status) => {
    const { replica, authority } = await bench(status);
    await expect(replica.ready()).rejects.toBe(authority.error);
    expect(replica.sync.getState()).toMatchObject({ status, ready: false, error: authority.error });
  },
);

it("goes on waiting while it is offline", async () => {
  const { replica } = await bench("offline");
  const outcome = await Promise.race([replica.ready().then(() => "ready"), turn().then(() => "waits")]);
  expect(outcome).toBe("waits");
  expect(replica.sync.getState()).toEqual({ status: "offline", ready: false, version: 0, pending: [], rejections: [] });
});

it("stays rejected until it is tried again, which a dispatch does", async () => {
  const { replica, authority } = await bench();
  await expect(replica.ready()).rejects.toBe(authority.error);
  await expect(replica.ready()).rejects.toBe(authority.error);
  expect(authority.connects).toBe(1);
  authority.answer = "let in";
  expect(await replica.dispatch({ type: "add", by: 1 })).toMatchObject({ accepted: true });
  await replica.ready();
  expect(replica.sync.getState()).toMatchObject({ status: "online", ready: true });
});

it("connects for who waits, after the turn in which it is asked, and once", async () => {
  const { replica, authority } = await bench("forbidden", "while watched");
  const waits = [replica.ready(), replica.ready()];
  expect(authority.connects).toBe(0);
  await expect(waits[0]).rejects.toBe(authority.error);
  expect(waits[1]).toBe(waits[0]);
  await turn();
  await expect(replica.ready()).rejects.toBe(authority.error);
  await turn();
  expect([authority.connects, replica.sync.getState().status]).toEqual([1, "forbidden"]);
});

it("who watches it anew asks the authority again", async () => {
  const { replica, authority } = await bench("forbidden", "while watched");
  await expect(replica.ready()).rejects.toBe(authority.error);
  await turn();
  authority.answer = "let in";
  const end = replica.subscribe(() => undefined);
  await replica.ready();
  await expect.poll(() => replica.sync.getState()).toMatchObject({ status: "online", ready: true });
  end();
});
