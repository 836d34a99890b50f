// What a replacement may leave out: derived fields, wherever they are.

import { defineState } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const sized = z.object({ kind: z.literal("sized"), items: z.array(z.number()), size: z.number() });
const named = z.object({ kind: z.literal("named"), items: z.array(z.number()), size: z.number(), name: z.string() });
const other = z.object({ kind: z.literal("other"), items: z.array(z.number()), size: z.number() });
const size = (container: { items: readonly number[] }) => container.items.length;

describe("a replacement may leave out a derived field", () => {
  it.each([
    ["of an object in a record", z.record(z.string(), sized), "/all/*/size"],
    ["of the members of a union", z.array(z.union([sized, named])), "/all/*/size"],
    [
      "of the members of a discriminated union",
      z.array(z.discriminatedUnion("kind", [sized, named, other])),
      "/all/*/size",
    ],
    ["of the items of a tuple", z.tuple([sized, other.nullable()]), "/all/*/size"],
    [
      "behind optional, default and lazy",
      z.lazy(() => z.array(sized.optional().nullable())).default([]),
      "/all/*/size",
    ],
  ])("%s", (_where, all, pointer) => {
    const state = defineState({
      name: "all",
      schema: z.object({ all: all as z.ZodType }),
      initial: null,
      derive: { [pointer]: size as (container: unknown) => unknown },
      operations: {},
    });
    const items = [1, 2, 3];
    const given =
      all instanceof z.ZodRecord
        ? { one: { kind: "sized", items } }
        : [{ kind: "sized", items }, ...(all instanceof z.ZodTuple ? [null] : [])];
    const result = state.transition(null, { all: given });
    expect(result.accepted ? undefined : result.rejection).toBeUndefined();
    expect(JSON.stringify(result.state)).toContain('"size":3');
  });

  it("and no other field", () => {
    const state = defineState({ name: "one", schema: sized, initial: null, derive: { "/size": size }, operations: {} });
    expect(state.transition(null, { kind: "sized" }).accepted).toBe(false);
  });
});
