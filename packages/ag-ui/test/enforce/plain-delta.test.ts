// A small delta is read without the schema. The oracle is the same delta with a member that sends
// it through the schema.

import fc from "fast-check";
import { expect, it } from "vitest";
import { enforce } from "../../src/enforce/enforce.ts";

const operation = fc.oneof(
  fc.record({
    op: fc.constantFrom("replace", "add", "remove", "test", "move", "unknown"),
    path: fc.oneof(fc.constantFrom("", "/", "/a/0", "/a~1b", "/a~b", "a", "/a\n"), fc.string()),
    value: fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(undefined, Number.NaN, Infinity, -0, 1n, new Date(0), { toString: 1 }),
    ),
  }),
  fc.record(
    { op: fc.constant("replace"), path: fc.constant("/a"), value: fc.integer(), more: fc.anything() },
    { requiredKeys: ["op", "path"] },
  ),
  fc.anything(),
);

it("returns the same delta as the schema", () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(fc.array(operation, { maxLength: 3 }), fc.anything()), (delta) => {
      const plain = enforce({ type: "STATE_DELTA", delta });
      const { event, error } = {
        event: undefined,
        error: undefined,
        ...enforce({ type: "STATE_DELTA", delta, timestamp: 1 }),
      };
      expect(error).toEqual("error" in plain ? plain.error : undefined);
      const { timestamp: _, ...rest } = event ?? {};
      expect(plain.event).toStrictEqual(event && rest);
      if (event !== undefined) accepted += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

it("shares no object with its input", () => {
  const delta = [{ op: "replace", path: "/a", value: 1 }];
  const { event } = enforce({ type: "STATE_DELTA", delta });
  delta[0]!.value = 2;
  delta.pop();
  expect(event).toEqual({ type: "STATE_DELTA", delta: [{ op: "replace", path: "/a", value: 1 }] });
});
