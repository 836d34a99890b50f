// What may be a state's or an input's schema is decided when the definition is made, with words
// that say what to do instead.

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { inspectInputSchema, inspectStateSchema } from "../../../src/definition/schema.ts";
import { containers, libraries } from "./schemas.ts";

interface Tree {
  name: string;
  children: Tree[];
}

const lazyTree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.lazy(() => z.array(lazyTree)) });
const getterTree = z.object({
  name: z.string(),
  get children() {
    return z.array(getterTree);
  },
});
const endless = (): z.ZodType => z.object({ next: z.lazy(endless).optional() });

describe("a state may be", () => {
  const states: [string, $ZodType][] = [
    [
      "a board",
      z
        .object({
          columns: z.array(
            z.object({ id: z.uuid(), cards: z.array(z.strictObject({ due: z.iso.datetime().nullable() })).max(10) }),
          ),
        })
        .refine((board) => board.columns.length < 9),
    ],
    [
      "mini's board",
      mini.object({ columns: mini.array(mini.looseObject({ id: mini.string().check(mini.minLength(1)) })) }),
    ],
    ["a tree, lazy", lazyTree],
    ["a tree by getters", getterTree],
    ["a schema without end", endless()],
    ["any JSON", z.json()],
    [
      "a union, discriminated",
      z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a") }),
        z.object({ kind: z.literal("b"), type: z.number() }),
      ]),
    ],
    [
      "defaults of all sorts",
      z.object({
        a: z.string().default("x"),
        b: z.array(z.number()).default([]),
        c: z.number().catch(0),
        d: z.string().min(1).prefault("x"),
        e: z.object({ f: z.int().default(1) }).prefault({}),
      }),
    ],
    [
      "tuples, records, branded and read-only values",
      z.object({
        t: z.tuple([z.string()], z.number()),
        r: z.record(z.enum(["a", "b"]), z.int()),
        b: z.string().brand("Id").readonly(),
        l: z.templateLiteral(["v", z.number()]),
      }),
    ],
    ["a pipe that only checks", z.object({ a: z.string().pipe(z.string().min(1)) })],
    ["a type that is no text", z.object({ type: z.number() })],
    ["a type further down", z.object({ node: z.object({ type: z.string() }) })],
  ];
  it.each(states)("%s", (_name, schema) => {
    expect(inspectStateSchema(schema)).toEqual([]);
  });
});

describe("a state may not contain", () => {
  const at = (schema: z.ZodType): $ZodType => z.object({ list: z.array(z.object({ "a/b": schema })) });
  const faults: [string, $ZodType, string][] = [
    ["a transform", at(z.string().transform((text) => text.length)), "a transform changes the value"],
    ["a preprocess", at(z.preprocess(String, z.string())), "a transform changes the value"],
    ["a codec", at(z.codec(z.string(), z.number(), { decode: Number, encode: String })), "a codec changes the value"],
    ["a string for a boolean", at(z.stringbool()), "changes the value"],
    ["a coercion", at(z.coerce.number()), "z.coerce changes the value"],
    ["a trim", at(z.string().trim()), "a check that changes the value"],
    ["an overwrite", at(z.number().overwrite(Math.round)), "a check that changes the value"],
    ["a lower case of a format", at(z.email().toLowerCase()), "a check that changes the value"],
    ["a date", at(z.date()), "z.date() is not JSON: keep dates as text: z.iso.datetime()"],
    ["a bigint", at(z.bigint()), "z.bigint() is not JSON"],
    ["a map", at(z.map(z.string(), z.string())), "z.map() is not JSON: use z.record()"],
    ["a set", at(z.set(z.string())), "z.set() is not JSON: use z.array()"],
    ["a symbol", at(z.symbol()), "z.symbol() is not JSON"],
    ["a function", at(z.function()), "z.function() is not JSON"],
    ["a promise", at(z.promise(z.string())), "z.promise() is not JSON"],
    ["NaN", at(z.nan()), "z.nan() is not JSON"],
    ["undefined", at(z.union([z.string(), z.undefined()])), "z.undefined() is not JSON: use .optional()"],
    ["void", at(z.void()), "z.void() is not JSON"],
    ["a literal that is not JSON", at(z.literal(1n)), "a literal must be a string"],
    ["an asynchronous refinement", at(z.string().refine(async () => true)), "an asynchronous check cannot run"],
    ["an asynchronous check", at(z.string().check(async () => {})), "an asynchronous check cannot run"],
    ["an asynchronous custom type", at(z.custom(async () => true)), "an asynchronous check cannot run"],
    [
      "a default that breaks its schema",
      at(z.string().min(1).default("")),
      "the default value does not satisfy its own schema",
    ],
    [
      "a default that its schema would complete",
      at(z.object({ a: z.int().default(1) }).default({} as never)),
      "the default value does not satisfy its own schema",
    ],
    [
      "a prefault that breaks its schema",
      at(z.string().min(1).prefault("")),
      "the prefault value does not satisfy its own schema",
    ],
    ["a default by chance", at(z.string().default(() => String(Math.random()))), "the default value changes each time"],
    ["a default that is not JSON", at(z.unknown().default(() => new Date(0))), "the default value is not JSON"],
    [
      "a caught value that is not JSON",
      at(
        z
          .unknown()
          .refine((value) => value !== undefined)
          .catch(() => Number.NaN),
      ),
      "the catch value is not JSON",
    ],
  ];
  it.each(faults)("%s", (_name, schema, message) => {
    const found = inspectStateSchema(schema);
    expect(found).toHaveLength(1);
    expect(found[0]?.path).toBe("/list/*/a~1b");
    expect(found[0]?.message).toContain(message);
  });

  it("any of these in records, tuples, unions, intersections, catchalls and behind wrappers", () => {
    const date = z.date();
    const found = inspectStateSchema(
      z
        .object({
          r: z.record(z.string(), date.optional()),
          t: z.tuple([z.string(), z.date()], z.date()),
          u: z.union([z.string(), z.date().nullable()]),
          i: z.intersection(z.object({}), z.object({ d: z.date() })),
          l: z.lazy(() => z.date()),
        })
        .catchall(z.date().readonly()),
    );
    expect(found.map(({ path }) => path)).toEqual(["/r/*", "/t/1", "/t/*", "/u", "/i/d", "/l", "/*"]);
  });

  it("keys that JSON or JavaScript has other uses for", () => {
    expect(
      inspectStateSchema(
        z.object(
          JSON.parse('{"__proto__":0}', (key, value: unknown) => (key === "__proto__" ? z.string() : value)) as Record<
            string,
            z.ZodType
          >,
        ),
      ).map(({ path }) => path),
    ).toEqual(["/__proto__"]);
    expect(inspectStateSchema(z.object({ [Symbol("s")]: z.string() } as never))).toHaveLength(1);
  });

  it("anything but zod 4", () => {
    for (const other of [undefined, null, {}, { parse: () => 1 }]) {
      expect(inspectStateSchema(other as never)).toEqual([
        { path: "", message: "must be a schema of zod 4: zod or zod/mini" },
      ]);
      expect(inspectInputSchema(other as never)).toHaveLength(1);
    }
    expect(inspectStateSchema(z.object({ a: { parse: () => 1 } as never }))).toMatchObject([{ path: "/a" }]);
  });

  it("itself with nothing between", () => {
    const self: z.ZodType = z.lazy(() => self.optional());
    expect(inspectStateSchema(z.object({ self }))).toMatchObject([
      { path: "/self", message: "the schema refers to itself without an object or array between" },
    ]);
  });

  it.each([
    ["text", z.object({ type: z.string() })],
    ["a literal", z.object({ type: z.literal("board") })],
    ["anything", z.object({ type: z.unknown() })],
    ["optional text", z.object({ type: z.string().optional() })],
    [
      "text in one form of a union",
      z.union([z.object({ a: z.string() }), z.object({ type: z.enum(["x"]) })]).nullable(),
    ],
    ["text in an intersection", z.object({ a: z.string() }).and(z.object({ type: z.string() }))],
    ["text in a record of listed keys", z.record(z.enum(["type", "b"]), z.string())],
  ])("a type at its root that may be %s", (_name, schema) => {
    expect(inspectStateSchema(schema)).toMatchObject([{ path: "/type" }]);
  });

  it("nothing else: the schemas that the property tests run on pass", () => {
    fc.assert(
      fc.property(containers, fc.constantFrom(...libraries), (sample, [, library]) => {
        expect(
          inspectStateSchema(sample.build(library)).filter(
            ({ message }) => !message.includes("does not satisfy its own schema"),
          ),
        ).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("an operation's input", () => {
  it.each([
    ["an object", z.object({ id: z.string().trim(), count: z.coerce.number().default(1) })],
    ["an object without keys", z.strictObject({})],
    [
      "forms of an object",
      z.discriminatedUnion("by", [z.object({ by: z.literal("id") }), z.object({ by: z.literal("name") })]),
    ],
    ["an object behind wrappers", z.lazy(() => z.object({ a: z.string() }).readonly())],
    ["two objects at once", z.object({ a: z.string() }).and(z.object({ b: z.string() }))],
    ["mini's object", mini.object({ id: mini.optional(mini.string()) })],
  ])("may be %s", (_name, schema) => {
    expect(inspectInputSchema(schema)).toEqual([]);
  });

  it.each([
    ["text", z.string()],
    ["a list", z.array(z.string())],
    ["anything", z.unknown()],
    ["an object or nothing", z.object({}).nullable()],
  ])("may not be %s", (_name, schema) => {
    expect(inspectInputSchema(schema)).toEqual([
      { path: "", message: "the input must be an object: z.object({ ... })" },
    ]);
  });

  it("may not have a key for the operation's name", () => {
    expect(inspectInputSchema(z.object({ type: z.number() }))).toMatchObject([{ path: "/type" }]);
  });

  it("may not contain what cannot be sent", () => {
    expect(
      inspectInputSchema(z.object({ due: z.date(), id: z.string().refine(async () => true) })).map(({ path }) => path),
    ).toEqual(["/due", "/id"]);
  });
});
