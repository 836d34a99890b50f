// The state of the rounds: a chain that shows the order of all its links, in a few bytes.

import { defineState } from "@opstate/core";
import { z } from "zod";

export const chain = defineState({
  name: "chain",
  version: 1,
  schema: z.object({ length: z.int(), last: z.string(), digest: z.string() }),
  initial: { length: 0, last: "", digest: "0" },
  operations: {
    link: {
      description: "Adds a name to the chain: the submission's id.",
      input: z.object({ name: z.string(), unless: z.int() }),
      apply(draft, { name, unless }, { reject }) {
        if (draft.length % 3 === unless) return reject("not_now", `The chain has ${draft.length} links.`);
        let hash = 2_166_136_261;
        for (const byte of new TextEncoder().encode(`${draft.digest} ${name}`))
          hash = Math.imul(hash ^ byte, 16_777_619) >>> 0;
        draft.digest = hash.toString(16);
        draft.length += 1;
        draft.last = name;
        return undefined;
      },
    },
  },
});
