// A replica that is connected while somebody watches it, and only then.

import { createReplica, memoryLog, openThread, threadTransport, type Transport } from "@opstate/core";
import { expect, it } from "vitest";
import { ada, robot, tally } from "../thread/tally.ts";

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
/** Long enough for everything that needs no outside event. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

it("does not connect by being made, and reads its snapshot", async () => {
  const { replica, made } = await bench();
  expect(replica.getState().count).toBe(0);
  await replica.ready();
  await turn();
  expect(made()).toBe(0);
});

it("shares one connection among all who watch, and closes it after the last", async () => {
  const { thread, replica, open, made } = await bench();
  const ends = [replica.subscribe(nothing), replica.sync.subscribe(nothing), replica.onCommit(nothing)];
  expect([open(), made()]).toEqual([1, 1]);
  await thread.dispatch({ type: "add", by: 2 }, { actor: robot });
  await turn();
  expect(replica.getState().count).toBe(2);
  for (const end of ends) end();
  ends[0]?.();
  await turn();
  expect([open(), made()]).toEqual([0, 1]);
  expect(replica.sync.getState().status).toBe("offline");
});

it("keeps its connection when one watcher takes the place of another in one turn", async () => {
  const { replica, open, made } = await bench();
  const end = replica.subscribe(nothing);
  end();
  const again = replica.subscribe(nothing);
  await turn();
  expect([open(), made()]).toEqual([1, 1]);
  again();
});

it("takes in what it missed when it is watched again", async () => {
  const { thread, replica } = await bench();
  replica.subscribe(nothing)();
  await turn();
  await thread.dispatch({ type: "add", by: 3 }, { actor: robot });
  expect(replica.getState().count).toBe(0);
  replica.subscribe(nothing);
  await expect.poll(() => replica.getState().count).toBe(3);
});

it("connects for a dispatch that nobody watches, until its verdict is there", async () => {
  const { thread, replica, open } = await bench();
  const verdict = await replica.dispatch({ type: "add", by: 1 });
  expect(verdict.accepted).toBe(true);
  expect(thread.getState().count).toBe(1);
  await turn();
  expect(open()).toBe(0);
});

it("connects for whoever waits until it is ready", async () => {
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
