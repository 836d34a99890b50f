// An operation that takes long is reported. The clock of the test is moved on by the work itself.

import { defineState, memoryLog, openThread } from "@opstate/core";
import type { SlowOperation } from "@opstate/core/thread";
import { expect, it } from "vitest";
import { z } from "zod";
import { ada } from "../tally.ts";

it("an operation that takes 50 ms or more is reported, with who sent it", async () => {
  let time = 0;
  const definition = defineState({
    name: "slow",
    schema: z.object({ count: z.int() }),
    initial: { count: 0 },
    operations: {
      work: {
        input: z.object({ takes: z.int() }),
        apply(draft, { takes }) {
          time += takes;
          draft.count += 1;
        },
      },
    },
  });
  const told: SlowOperation[] = [];
  const thread = await openThread({
    definition,
    log: memoryLog(),
    threadId: "t",
    scheduler: { now: () => time, yield: async () => undefined },
    onSlow: (slow) => told.push(slow),
  });
  for (const takes of [49, 50, 120])
    await thread.dispatch(definition.op.work({ takes }), { actor: ada, id: `takes-${takes}` });
  expect(told).toEqual([
    { threadId: "t", type: "work", actor: ada, id: "takes-50", milliseconds: 50 },
    { threadId: "t", type: "work", actor: ada, id: "takes-120", milliseconds: 120 },
  ]);
  await thread.close();
});
