// A counter whose code counts by a step that tests change from one process to the next.

import { defineState } from "@opstate/core";
import { z } from "zod";

export function counterBy(step: number) {
  return defineState({
    name: "counter",
    version: 1,
    schema: z.object({ title: z.string(), n: z.int() }),
    initial: { title: "untitled", n: 0 },
    operations: {
      title: { input: z.object({ text: z.string() }), apply: (draft, { text }) => void (draft.title = text) },
      inc: { input: z.object({}), apply: (draft) => void (draft.n += step) },
    },
  });
}
