// A page that is given the definition of an open thread, which runs on the full engine.

import { createReplica, memoryLog, openThread, threadTransport } from "@opstate/core";
import { expect, it } from "vitest";
import { ada, tally } from "../thread/tally.ts";

const thread = await openThread({ definition: tally, log: memoryLog(), threadId: "t" });
const transport = threadTransport(thread, { actor: ada });

it("learns at once which definition it needs", () => {
  const message = /"tally" is a thread's.*that of defineState/;
  const wrong = () => createReplica({ definition: thread.definition, transport });
  expect(wrong).toThrow(expect.objectContaining({ name: "OpstateError", code: "page_build" }));
  expect(wrong).toThrow(message);
});

it("reads and edits the thread with that one", async () => {
  const replica = createReplica({ definition: tally, transport });
  await expect(replica.dispatch(tally.op.add({ by: 2 }))).resolves.toMatchObject({ accepted: true });
  expect(replica.getState()).toEqual(thread.getState());
  replica.close();
});
