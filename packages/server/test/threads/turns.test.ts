// A request for many threads opens them one after the other, and others are served in between.

import { memoryLog } from "@opstate/core";
import { expect, it } from "vitest";
import { addCard, board } from "../support/board.ts";
import { follow, openJoint } from "../support/joint.ts";
import { send, start } from "../support/server.ts";

const ids = Array.from({ length: 100 }, (_, index) => `t${index}`);

async function withStored() {
  const log = memoryLog();
  for (const threadId of ids)
    await log.create({ threadId, definition: "board", definitionVersion: 1, state: board.initial, at: "" });
  const loads = { inThisTurn: 0, most: 0, all: 0 };
  const load = log.load.bind(log);
  log.load = (...given) => {
    loads.all += 1;
    loads.inThisTurn += 1;
    loads.most = Math.max(loads.most, loads.inThisTurn);
    setImmediate(() => (loads.inThisTurn = 0));
    return load(...given);
  };
  return { ...(await start({ log })), loads };
}

it("threads that are followed together are opened in turns", async () => {
  const { url, loads } = await withStored();
  const events = await openJoint(url, follow(ids));
  const seen = new Set<string>();
  while (seen.size < ids.length) seen.add((await events.of("snapshot")).thread);
  expect(loads).toMatchObject({ all: 100, most: 1 });
});

it("threads that are written to together are opened in turns", async () => {
  const { url, loads } = await withStored();
  const items = ids.map((thread) => ({ thread, operation: addCard("c1") }));
  const { body } = await send(`${url}/operations`, "POST", items);
  expect(body.every(({ accepted }: { accepted: boolean }) => accepted)).toBe(true);
  expect(loads).toMatchObject({ all: 100, most: 1 });
});
