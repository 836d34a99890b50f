// What a person or a model reads when a value breaks its schema: the same words with zod and
// zod/mini.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { safeParse, type $ZodType } from "zod/v4/core";
import { describeIssues } from "../../../src/engine/validation/issues.ts";
import { compileValidator } from "../../../src/engine/validation/validate.ts";
import { libraries, type Zod } from "./schemas.ts";

function described(schema: $ZodType, value: unknown) {
  const parsed = compileValidator(schema).full(value);
  if (parsed.ok) throw new Error("was accepted");
  return describeIssues(parsed.issues);
}

describe.each(libraries)("with %s", (_name, z) => {
  const words: [string, (z: Zod) => $ZodType, unknown, string][] = [
    [
      "a type",
      (z) => z.object({ cards: z.array(z.object({ priority: z.number() })) }),
      { cards: [{ priority: "high" }] },
      "/cards/0/priority must be a number, got string",
    ],
    ["null", (z) => z.object({ a: z.string() }), { a: null }, "/a must be a string, got null"],
    ["the root", (z) => z.object({}), [], "The value must be an object, got array"],
    ["a missing key", (z) => z.object({ a: z.string() }), {}, "/a is missing: it must be a string"],
    ["a missing key of any type", (z) => z.object({ a: z.unknown() }), {}, "/a is missing"],
    ["a missing option", (z) => z.object({ a: z.enum(["x", "y"]) }), {}, '/a is missing: it must be one of "x", "y"'],
    ["an integer", (z) => z.object({ a: z.int() }), { a: 1.5 }, "/a must be an integer, got 1.5"],
    ["a lower bound", (z) => z.object({ a: z.number().check(z.gte(1)) }), { a: 0 }, "/a must be at least 1, got 0"],
    [
      "an open upper bound",
      (z) => z.object({ a: z.number().check(z.lt(5)) }),
      { a: 7 },
      "/a must be less than 5, got 7",
    ],
    [
      "a multiple",
      (z) => z.object({ a: z.number().check(z.multipleOf(5)) }),
      { a: 7 },
      "/a must be a multiple of 5, got 7",
    ],
    [
      "a short string",
      (z) => z.object({ a: z.string().check(z.minLength(1)) }),
      { a: "" },
      "/a must have at least 1 character, got 0",
    ],
    [
      "a long array",
      (z) => z.object({ a: z.array(z.number()).check(z.maxLength(2)) }),
      { a: [1, 2, 3] },
      "/a must have at most 2 items, got 3",
    ],
    [
      "an exact length",
      (z) => z.object({ a: z.string().check(z.length(3)) }),
      { a: "ab" },
      "/a must have exactly 3 characters, got 2",
    ],
    [
      "options",
      (z) => z.object({ a: z.enum(["low", "high"]) }),
      { a: "urgent" },
      '/a must be one of "low", "high", got "urgent"',
    ],
    ["one literal", (z) => z.object({ a: z.literal("x") }), { a: 1 }, '/a must be "x", got 1'],
    ["an email", (z) => z.object({ a: z.email() }), { a: "nobody" }, '/a must be an email address, got "nobody"'],
    [
      "a date",
      (z) => z.object({ a: z.iso.date() }),
      { a: "today" },
      '/a must be an ISO date such as "2026-01-31", got "today"',
    ],
    [
      "a pattern",
      (z) => z.object({ a: z.string().check(z.regex(/^T-\d+$/)) }),
      { a: "42" },
      '/a must match /^T-\\d+$/, got "42"',
    ],
    [
      "a prefix",
      (z) => z.object({ a: z.string().check(z.startsWith("T-")) }),
      { a: "42" },
      '/a must start with "T-", got "42"',
    ],
    [
      "an unknown key",
      (z) => z.strictObject({ id: z.string(), title: z.string() }),
      { id: "1", title: "t", tilte: "x" },
      'The value has the unknown key "tilte"; known: "id", "title"',
    ],
    ["a forbidden key", (z) => z.object({ a: z.optional(z.never()) }), { a: 1 }, "/a must not be there"],
    [
      "a key of a record",
      (z) => z.object({ r: z.record(z.string().check(z.regex(/^\d+$/)), z.number()) }),
      { r: { x: 1 } },
      '/r/x is a key that is not allowed: it must match /^\\d+$/, got "x"',
    ],
    [
      "a listed key of a record",
      (z) => z.record(z.enum(["a", "b"]), z.number()),
      { a: 1, b: 2, c: 3 },
      'The value has the unknown key "c"',
    ],
    [
      "kinds of a union",
      (z) => z.object({ a: z.union([z.string(), z.number()]) }),
      { a: true },
      "/a must be a string or a number, got boolean",
    ],
    [
      "a discriminator",
      (z) => z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
      { kind: "c" },
      '/kind must be one of "a", "b", got "c"',
    ],
    [
      "a branch by its discriminator",
      (z) =>
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("a"), n: z.number() }),
          z.object({ kind: z.literal("b") }),
        ]),
      { kind: "a", n: "1" },
      "/n must be a number, got string",
    ],
    [
      "the closest branch",
      (z) =>
        z.object({
          shape: z.union([
            z.object({ kind: z.literal("circle"), r: z.number() }),
            z.object({ kind: z.literal("square"), side: z.number() }),
          ]),
        }),
      { shape: { kind: "square", side: "2" } },
      "/shape/side must be a number, got string (the closest of 2 allowed forms)",
    ],
    [
      "one branch too many",
      (z) => z.xor([z.object({ a: z.number() }), z.object({ a: z.int() })]),
      { a: 1 },
      "The value matches 2 of the allowed forms; it must match exactly one",
    ],
    [
      "a pointer's own characters",
      (z) => z.object({ "a/b~c": z.string() }),
      { "a/b~c": 1 },
      "/a~1b~0c must be a string, got number",
    ],
    [
      "a refinement",
      (z) => z.object({ a: z.string().check(z.refine((a) => a === "b", "must be b, for a reason")) }),
      { a: "c" },
      "/a: must be b, for a reason",
    ],
    [
      "a refinement of the root",
      (z) => z.object({ a: z.string() }).check(z.refine(() => false, "At most 3 cards in progress")),
      { a: "c" },
      "At most 3 cards in progress",
    ],
    [
      "a refinement without words",
      (z) => z.object({ a: z.string() }).check(z.refine(() => false, { path: ["a"] })),
      { a: "c" },
      "/a is not valid",
    ],
    ["words given to a type", (z) => z.object({ a: z.string("Name it, please") }), { a: 1 }, "/a: Name it, please"],
    [
      "words given to a check",
      (z) => z.object({ a: z.string().check(z.minLength(3, { error: () => "Three letters at least" })) }),
      { a: "" },
      "/a: Three letters at least",
    ],
  ];
  it.each(words)("names %s", (_what, build, value, message) => {
    expect(described(build(z), value).message).toBe(message);
  });
});

describe("a description", () => {
  it("lists the first issues and points at the first", () => {
    const found = described(z.object({ items: z.array(z.object({ n: z.number() })) }), {
      items: Array.from({ length: 50 }, () => ({ n: "x" })),
    });
    expect(found.path).toBe("/items/0/n");
    expect(found.issues).toHaveLength(5);
    expect(found.issues[4]).toEqual({
      path: "/items/4/n",
      code: "invalid_type",
      message: "must be a number, got string",
    });
    expect(found.message).toBe(
      "/items/0/n must be a number, got string; /items/1/n must be a number, got string (and more)",
    );
  });

  it("does not repeat a user's data at length", () => {
    const secret = "s".repeat(10_000);
    const { message } = described(z.object({ a: z.enum(["x"]), b: z.string().regex(/^a$/) }), { a: secret, b: secret });
    expect(message).not.toContain("s".repeat(61));
  });

  it("is small and plain JSON, whatever was wrong with whatever", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.constantFrom("\u0000".repeat(400), "\ud83d\ude00".repeat(200), "/~".repeat(300)),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 9 }), text, (keys, words) => {
        const shape = Object.fromEntries(
          keys.map((key) => [
            `k${key}`,
            z
              .object({
                a: z.enum([`x${words}`, "y"]),
                b: z.string(words === "" ? "-" : words),
                c: z.string().refine(() => false, words),
              })
              .strict(),
          ]),
        );
        const value = Object.fromEntries(keys.map((key) => [`k${key}`, { a: words, b: 1, c: "c", [`z${words}`]: 1 }]));
        const found = described(z.object(shape), value);
        expect(new TextEncoder().encode(JSON.stringify(found)).length).toBeLessThanOrEqual(1700);
        expect(JSON.parse(JSON.stringify(found))).toEqual(found);
        expect(found.issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
  });

  it("accepts issues that zod has finished, too", () => {
    const result = safeParse(z.object({ a: z.number(), b: z.string().refine(() => false, "no b") }), {
      a: "x",
      b: "b",
    });
    expect(describeIssues(result.error?.issues ?? []).message).toBe("/a must be a number; /b: no b");
    expect(describeIssues([])).toEqual({ message: "The value does not satisfy its schema", issues: [] });
  });
});
