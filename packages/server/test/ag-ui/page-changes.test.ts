// What a page changed in its copy of a state, against every shape of state and of leaving out.

import { defineState } from "@opstate/core";
import { applyPatch } from "@opstate/core/json-patch";
import {
  assert,
  type Arbitrary,
  constantFrom,
  dictionary,
  array,
  integer,
  oneof,
  property,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { expect, it } from "vitest";
import { z } from "zod";
import { changesOf } from "../../src/ag-ui/page-state/changes.ts";

const any = defineState({ name: "any", schema: z.looseObject({}), initial: {}, operations: {} });

const key = constantFrom("a", "b", "c", "d");
const leaf = oneof(integer({ min: 0, max: 3 }), string({ maxLength: 2 }), constantFrom(true, null));

/** Lists have items with ids, or plain values. */
function json(depth: number): Arbitrary<unknown> {
  if (depth === 0) return leaf;
  const inner = json(depth - 1);
  const items = uniqueArray(record({ id: integer({ min: 0, max: 9 }), a: inner, b: inner }), {
    maxLength: 4,
    selector: ({ id }) => id,
  });
  return oneof(leaf, array(leaf, { maxLength: 3 }), items, dictionary(key, inner, { maxKeys: 4 }));
}

const state = dictionary(key, json(3), { maxKeys: 4 });

/** Leaves out members where `isLeft` says so, but no item of a list and no id. */
function withGaps(value: unknown, isLeft: () => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withGaps(item, isLeft));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name === "id" || !isLeft());
  return Object.fromEntries(members.map(([name, member]) => [name, withGaps(member, isLeft)]));
}

it("is nothing where members are left out, at any depth", () => {
  assert(
    property(state, array(integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 20 }), (base, gaps) => {
      let at = 0;
      const page = withGaps(base, () => gaps[at++ % gaps.length] === 1);
      expect(changesOf(any, base, page)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("leads to a state that has all of the page's, whatever was there before", () => {
  assert(
    property(state, state, (base, page) => {
      const result = applyPatch(base, changesOf(any, base, page));
      if (!result.ok) throw new Error(result.error.message);
      expect(result.document).toMatchObject(page);
      expect(changesOf(any, result.document, page)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("keeps what was left out of items without ids that are at the place where they were", () => {
  const base = { items: [{ a: 1 }, { a: 1, b: 2 }, { a: 3, b: 4 }] };
  expect(changesOf(any, base, { items: [{ a: 1 }, { a: 1 }, { a: 5 }] })).toEqual([
    { op: "replace", path: "/items/2/a", value: 5 },
  ]);
  expect(changesOf(any, base, { items: [{ a: 3, b: 4 }, { a: 1 }, { a: 1, b: 2 }] })).toEqual(
    changesOf(any, base, { items: [base.items[2], base.items[0], base.items[1]] }),
  );
});
