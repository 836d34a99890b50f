// The state of these pages, and of the server behind them.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const tally = defineState({
  name: "tally",
  schema: z.object({ count: z.int() }),
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
