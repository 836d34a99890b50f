// A replica that is connected only while it has subscribers, or something to send or to wait for.

import { createReplica, memoryLog, openThread, threadTransport, type Transport } from "@opstate/core";
import { expect, it } from "vitest";
import { ada, robot, tally } from "./thread/tally.ts";

async function bench() {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  const inner = threadTransport(thread, { actor: ada });
  let open = 0;
  let made = 0;
  const transport: Transport = {
    connect(options) {
      open += 1;
      made += 1;
      const connection = inner.connect(options);
      return {
        send: (submission) => connection.send(submission),
        close() {
          open -= 1;
          connection.close();
        },
      };
    },
  };
  const snapshot = { version: thread.version, state: thread.getState() };
  const replica = createReplica({ definition: tally, transport, snapshot, connect: "while watched" });
  return { thread, replica, open: () => open, made: () => made };
}

const nothing = () => undefined;
/** After all that needs no outside event. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("does not connect when it is created, and shows its snapshot", async () => {
  const { replica, made } = await bench();
  expect(replica.getState().count).toBe(0);
  await replica.ready();
  await turn();
  expect(made()).toBe(0);
});

it("shares one connection among all subscribers", async () => {
  const { thread, replica, open, made } = await bench();
  for (const subscribe of [replica.subscribe, replica.sync.subscribe, replica.onCommit]) subscribe(nothing);
  expect([open(), made()]).toEqual([1, 1]);
  await thread.dispatch({ type: "add", by: 2 }, { actor: robot });
  await turn();
  expect(replica.getState().count).toBe(2);
});

it("closes its connection after the last subscriber, even if one unsubscribes twice", async () => {
  const { replica, open, made } = await bench();
  const ends = [replica.subscribe(nothing), replica.sync.subscribe(nothing), replica.onCommit(nothing)];
  ends[0]?.();
  ends[0]?.();
  await turn();
  expect(open()).toBe(1);
  for (const end of ends) end();
  await turn();
  expect([open(), made()]).toEqual([0, 1]);
  expect(replica.sync.getState().status).toBe("offline");
});

it("keeps its connection when one subscriber replaces another in the same turn", async () => {
  const { replica, open, made } = await bench();
  const end = replica.subscribe(nothing);
  end();
  const again = replica.subscribe(nothing);
  await turn();
  expect([open(), made()]).toEqual([1, 1]);
  again();
});

it("catches up with what it missed when it is subscribed to again", async () => {
  const { thread, replica } = await bench();
  replica.subscribe(nothing)();
  await turn();
  await thread.dispatch({ type: "add", by: 3 }, { actor: robot });
  expect(replica.getState().count).toBe(0);
  replica.subscribe(nothing);
  await expect.poll(() => replica.getState().count).toBe(3);
});

it("connects for a dispatch without subscribers, until the verdict arrives", async () => {
  const { thread, replica, open } = await bench();
  const verdict = await replica.dispatch({ type: "add", by: 1 });
  expect(verdict.accepted).toBe(true);
  expect(thread.getState().count).toBe(1);
  await turn();
  expect(open()).toBe(0);
});

it("connects for a call of ready()", async () => {
  const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
  await thread.dispatch({ type: "add", by: 4 }, { actor: robot });
  const replica = createReplica({
    definition: tally,
    transport: threadTransport(thread, { actor: ada }),
    connect: "while watched",
  });
  await replica.ready();
  expect(replica.getState().count).toBe(4);
});
