// What only the full engine refuses: an operation that writes a key which the schema does not know.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const loose = defineState({
  name: "loose",
  schema: z.object({ count: z.int() }),
  initial: { count: 0 },
  operations: {
    stray: {
      input: z.object({}),
      apply: (draft) => void Object.assign(draft, { count: draft.count + 1, stray: true }),
    },
  },
});
