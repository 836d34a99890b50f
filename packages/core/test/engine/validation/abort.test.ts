// A check that aborts ends the checks of its schema, as it does in zod.

import { defineState } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

describe("a check with `abort`", () => {
  const asked: string[] = [];
  const schema = z.object({
    items: z
      .array(z.string())
      .refine((items) => items.length < 2, { abort: true, error: "too many" })
      .refine((items) => asked.push(items.join("")) > 0 && items.length < 2, {
        error: "asked although it was aborted",
      }),
  });
  const list = defineState({
    name: "list",
    schema,
    initial: { items: ["a"] },
    operations: {
      add: { input: z.object({ item: z.string() }), apply: (draft, { item }) => void draft.items.push(item) },
    },
  });

  it("keeps those behind it from running on what it refuses", () => {
    const step = list.transition(list.initial, { type: "add", item: "b" });
    asked.length = 0;
    const whole = schema.safeParse({ items: ["a", "b"] });
    expect(asked).toEqual([]);
    const again = list.transition(list.initial, { type: "add", item: "b" });
    expect(asked).toEqual([]);
    expect(step).toEqual(again);
    expect(again).toMatchObject({ accepted: false, rejection: { code: "invalid_state" } });
    if (!again.accepted)
      expect(again.rejection.issues?.map(({ message }) => message)).toEqual(
        whole.error?.issues.map(({ message }) => message),
      );
  });
});
