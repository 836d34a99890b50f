import { defineState, memoryLog, openThread } from "@opstate/core";
import { z } from "zod";

export const counter = defineState({
  name: "counter",
  schema: z.object({ count: z.int().max(3) }),
  initial: { count: 0 },
  operations: {
    add: {
      input: z.object({ by: z.int() }),
      apply(draft, { by }) {
        draft.count += by;
      },
    },
  },
});
export const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
export const ada = { kind: "user", id: "ada" };
