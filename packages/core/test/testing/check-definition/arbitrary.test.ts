import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { arbitraryOf } from "../../../src/testing/check-definition/arbitrary.ts";
import { Pool } from "../../../src/testing/check-definition/pool.ts";

type Tree = { name: string; kids: Tree[] };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), kids: z.array(tree) }));
const Node = z.object({
  value: z.int(),
  get next() {
    return Node.nullable();
  },
});

const schemas: [string, z.core.$ZodType][] = [
  ["bounded text", z.string().min(2).max(4)],
  [
    "formats",
    z.object({
      a: z.email(),
      b: z.uuid(),
      c: z.iso.datetime(),
      d: z.iso.date(),
      e: z.url(),
      f: z.ipv4(),
      g: z.iso.time(),
    }),
  ],
  ["a pattern", z.string().regex(/^[A-Z]-\d+$/)],
  ["a refined text", z.string().refine((text) => text.length % 2 === 0)],
  [
    "numbers",
    z.object({
      a: z.int().min(3).max(9),
      b: z.number().gt(0).lt(1),
      c: z.number().multipleOf(5),
      d: z.int().negative(),
    }),
  ],
  ["choices", z.object({ a: z.enum(["x", "y"]), b: z.literal([1, null]), c: z.boolean(), d: z.null() })],
  ["absence", z.object({ a: z.string().optional(), b: z.string().nullish(), c: z.int().default(3) })],
  [
    "lists",
    z.object({
      a: z.array(z.int()).min(2).max(3),
      b: z.tuple([z.string(), z.int()], z.boolean()),
      c: z.array(z.string()).length(5),
    }),
  ],
  [
    "records",
    z.object({
      a: z.record(z.string(), z.int()),
      b: z.record(z.enum(["l", "r"]), z.int()),
      c: z.record(z.string().min(2), z.null()),
    }),
  ],
  [
    "unions",
    z.union([
      z.string(),
      z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b"), n: z.int() })]),
    ]),
  ],
  ["recursion", z.object({ tree, node: Node, json: z.json() })],
  [
    "a narrow rule across fields",
    z.object({ a: z.int().min(0).max(3), b: z.int().min(0).max(3) }).refine(({ a, b }) => a === b),
  ],
  ["both of two", z.object({ a: z.string() }).and(z.object({ b: z.int() }))],
  ["mini", mini.object({ a: mini.string().check(mini.minLength(3)), b: mini.optional(mini.int()) })],
];

describe("arbitraryOf", () => {
  it.each(schemas)("makes %s that its schema accepts", (_, schema) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(arbitraryOf(schema, { references: false }), (value) => {
        expect(z.safeParse(schema, value).error?.message).toBeUndefined();
        seen.add(JSON.stringify(value));
      }),
      { numRuns: 100 },
    );
    expect(seen.size).toBeGreaterThan(1);
  });

  it("says what it cannot make", () => {
    for (const schema of [z.never(), z.string().refine(() => false), z.object({ a: z.custom(() => true) })])
      expect(() => arbitraryOf(schema, { references: false })).toThrow();
  });

  it("chooses ids from the state: by their key, else any id, and what `narrow` lists first", () => {
    const state = {
      cards: [
        { cardId: "c1", title: "x" },
        { cardId: "c2", title: "y" },
      ],
      lanes: { todo: { size: 3 } },
    };
    const input = z.object({
      cardId: z.string(),
      toCardId: z.string(),
      legal: z.string(),
      ids: z.array(z.string()).min(1),
    });
    const drawn = fc.sample(arbitraryOf(input, { references: true }), { numRuns: 300, seed: 1 });
    const resolved = drawn.map(
      (value) => new Pool(state).resolveReferences(value, { legal: ["only"] }) as z.infer<typeof input>,
    );
    for (const value of resolved) expect(input.safeParse(value).success).toBe(true);
    const share = (test: (value: z.infer<typeof input>) => boolean) => resolved.filter(test).length / resolved.length;
    expect(share(({ cardId }) => ["c1", "c2"].includes(cardId))).toBeGreaterThan(0.5);
    expect(share(({ toCardId }) => ["c1", "c2", "todo"].includes(toCardId))).toBeGreaterThan(0.5);
    expect(share(({ legal }) => legal === "only")).toBeGreaterThan(0.5);
    expect(share(({ cardId }) => !["c1", "c2"].includes(cardId))).toBeGreaterThan(0.05);
  });
});
