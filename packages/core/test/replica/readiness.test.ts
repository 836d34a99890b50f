// `ready()` resolves with the first confirmed state and rejects when the authority refuses the
// connection. Another attempt to connect is another promise.

import { createReplica, memoryLog, openThread, threadTransport, type Transport } from "@opstate/core";
import type { TransportStatus } from "@opstate/core/transport";
import { expect, it } from "vitest";
import { ada, tally } from "../thread/tally.ts";

/** An authority that answers each connection with a final status, or with the thread's stream. */
async function bench(answer: TransportStatus = "forbidden", connect: "at once" | "while watched" = "at once") {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const inner = threadTransport(thread, { actor: ada });
  const authority = { answer: answer as TransportStatus | "let in", connects: 0, error: new Error("Not yours") };
  const transport: Transport = {
    connect(options) {
      authority.connects += 1;
      let connection: ReturnType<Transport["connect"]> | undefined;
      const ask = () => {
        // The replica sends as soon as it is "online": the connection must exist by then.
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

/** After all that needs no outside event. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it.each(["unauthenticated", "forbidden", "not_found"] as const)(
  "rejects with the error when the authority answers %s",
  async (status) => {
    const { replica, authority } = await bench(status);
    await expect(replica.ready()).rejects.toBe(authority.error);
    expect(replica.sync.getState()).toMatchObject({ status, ready: false, error: authority.error });
  },
);

it("stays pending while the replica is offline", async () => {
  const { replica } = await bench("offline");
  const outcome = await Promise.race([replica.ready().then(() => "ready"), turn().then(() => "pending")]);
  expect(outcome).toBe("pending");
  expect(replica.sync.getState()).toEqual({ status: "offline", ready: false, version: 0, pending: [], rejections: [] });
});

it("stays rejected without another attempt to connect", async () => {
  const { replica, authority } = await bench();
  await expect(replica.ready()).rejects.toBe(authority.error);
  await expect(replica.ready()).rejects.toBe(authority.error);
  expect(authority.connects).toBe(1);
});

it("resolves after a dispatch, which connects again", async () => {
  const { replica, authority } = await bench();
  await expect(replica.ready()).rejects.toBe(authority.error);
  authority.answer = "let in";
  expect(await replica.dispatch({ type: "add", by: 1 })).toMatchObject({ accepted: true });
  await replica.ready();
  expect(replica.sync.getState()).toMatchObject({ status: "online", ready: true });
});

it("connects once for several calls, and after the turn in which they are made", async () => {
  const { replica, authority } = await bench("forbidden", "while watched");
  const calls = [replica.ready(), replica.ready()];
  expect(authority.connects).toBe(0);
  await expect(calls[0]).rejects.toBe(authority.error);
  expect(calls[1]).toBe(calls[0]);
  await turn();
  await expect(replica.ready()).rejects.toBe(authority.error);
  await turn();
  expect([authority.connects, replica.sync.getState().status]).toEqual([1, "forbidden"]);
});

it("resolves when a new subscriber makes the replica connect again", async () => {
  const { replica, authority } = await bench("forbidden", "while watched");
  await expect(replica.ready()).rejects.toBe(authority.error);
  await turn();
  authority.answer = "let in";
  const end = replica.subscribe(() => undefined);
  await replica.ready();
  await expect.poll(() => replica.sync.getState()).toMatchObject({ status: "online", ready: true });
  end();
});
