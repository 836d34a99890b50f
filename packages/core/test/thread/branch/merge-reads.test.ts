// What a merge reads: the branch once, however many changes it has.

import { defineState, type Log, memoryLog, openThread } from "@opstate/core";
import { expect, it } from "vitest";
import { z } from "zod";

const ada = { kind: "user", id: "ada" };

const counter = defineState({
  name: "counter",
  schema: z.object({ count: z.int() }),
  initial: { count: 0 },
  operations: {
    inc: {
      input: z.object({}),
      apply(draft) {
        draft.count += 1;
      },
    },
  },
});

it("reads each commit of the branch a few times, not once for every change", async () => {
  let read = 0;
  const log = memoryLog();
  const counting: Log = {
    ...log,
    async read(threadId, ...rest) {
      const commits = await log.read(threadId, ...rest);
      if (threadId !== "t") read += commits.length;
      return commits;
    },
  };
  const thread = await openThread({ definition: counter, log: counting, threadId: "t" });
  const branch = await thread.branch();
  for (let index = 0; index < 50; index++) await branch.dispatch(counter.op.inc({}), { actor: ada });
  read = 0;
  const first = await branch.merge({ actor: ada });
  expect(first.every(({ verdict }) => verdict.accepted)).toBe(true);
  expect(thread.getState().count).toBe(50);
  expect(read).toBeLessThanOrEqual(150);
  // What is done on the branch afterwards is read too.
  await branch.dispatch(counter.op.inc({}), { actor: ada });
  await branch.merge({ actor: ada });
  expect(thread.getState().count).toBe(51);
});
