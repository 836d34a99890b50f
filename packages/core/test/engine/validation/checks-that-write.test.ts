// An author's check that writes to the state that it is given, as one does that sorts the list in
// place: it must not change a state, in production neither.

import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineState, memoryLog, openThread } from "../../../src/index.ts";

const item = z.object({ n: z.int() });
const list = z.array(item);
const byNumber = (a: { n: number }, b: { n: number }) => a.n - b.n;

const WRITING = {
  "a refinement that sorts": z.object({ list: list.refine((all) => all.sort(byNumber).length >= 0) }),
  "a refinement of the root": z.object({ list }).refine((root) => root.list.sort(byNumber).length >= 0),
  "superRefine that reverses": z.object({
    list: list.superRefine((all) => {
      all.reverse();
    }),
  }),
  "check that sorts": z.object({
    list: list.check(({ value }) => {
      value.sort(byNumber);
    }),
  }),
  "a refinement that writes to an item": z.object({
    list: list.refine((all) => {
      const [first] = all;
      if (first) first.n = 0;
      return true;
    }),
  }),
};

/** In the mode that an application runs in, which a definition takes from its environment. */
function define(schema: z.ZodType<{ list: { n: number }[] }>, mode: "development" | "production") {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = mode;
  try {
    return numbers(schema);
  } finally {
    process.env["NODE_ENV"] = before;
  }
}

function numbers(schema: z.ZodType<{ list: { n: number }[] }>) {
  return defineState({
    name: "numbers",
    schema,
    initial: { list: [] },
    onFailure: () => undefined,
    operations: {
      add: {
        input: item,
        apply(draft, { n }) {
          draft.list.push({ n });
        },
      },
    },
  });
}

const actor = { kind: "user", id: "ada" };

describe.each(["development", "production"] as const)("in %s", (mode) => {
  it.each(Object.entries(WRITING))("%s is a failed operation with words, and changes nothing", async (_, schema) => {
    const log = memoryLog();
    const definition = define(schema, mode);
    const thread = await openThread({ definition, log, threadId: "t" });
    const accepted = [];
    const refused = [];
    for (const n of [3, 1, 2]) {
      const verdict = await thread.dispatch({ type: "add", n }, { actor });
      if (verdict.accepted) accepted.push({ n });
      else refused.push(verdict.rejection);
    }
    expect(refused.length).toBeGreaterThan(0);
    for (const { code, message } of refused) {
      expect(code).toBe("failed");
      expect(message).toContain("wrote to something frozen");
    }
    expect(thread.getState().list).toEqual(accepted);
    await thread.close();
    const again = await openThread({ definition, log, threadId: "t" });
    expect([again.version, again.getState().list]).toEqual([accepted.length, accepted]);
  });

  it("a check that only reads judges what is there", async () => {
    const schema = z
      .object({ list: list.refine((all) => new Set(all.map(({ n }) => n)).size === all.length, "twice") })
      .refine((root) => [...root.list].sort(byNumber).every(({ n }, index) => n >= index), "too small");
    const thread = await openThread({ definition: define(schema, mode), log: memoryLog(), threadId: "t" });
    const codes = [];
    for (const n of [5, 1, 5, 0, 3, -1]) {
      const verdict = await thread.dispatch({ type: "add", n }, { actor });
      codes.push(verdict.accepted ? "accepted" : verdict.rejection.code);
    }
    expect(codes).toEqual(["accepted", "accepted", "invalid_state", "accepted", "accepted", "invalid_state"]);
    expect(thread.getState().list.map(({ n }) => n)).toEqual([5, 1, 0, 3]);
  });
});
