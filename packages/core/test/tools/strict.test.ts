import { defineState } from "@opstate/core";
import { toolsOf, toolUpdate } from "@opstate/core/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

function withInput(input: z.ZodType) {
  return defineState({
    name: "x",
    schema: z.object({ n: z.number() }),
    initial: { n: 0 },
    operations: { do: { input: input as z.ZodObject, apply: () => undefined } },
  });
}

const strictSchema = (input: z.ZodType) => toolsOf(withInput(input), { strict: true })[0]?.inputSchema ?? {};
const decoded = (input: z.ZodType, args: unknown) => {
  const { type, ...rest } = { ...toolUpdate(withInput(input), { name: "do", args }, { strict: true }) } as Record<
    string,
    unknown
  >;
  expect(type).toBe("do");
  return rest;
};

describe("strict schemas", () => {
  it("require every property, with null for what is left out", () => {
    const input = z.object({
      id: z.string().min(1),
      level: z.enum(["low", "high"]).optional(),
      at: z.iso.datetime().optional(),
      n: z.int().max(5).default(2).describe("How many"),
    });
    expect(strictSchema(input)).toEqual({
      type: "object",
      properties: {
        id: { type: "string", description: "length at least 1" },
        level: { type: ["string", "null"], enum: ["low", "high", null] },
        at: { type: ["string", "null"], description: "format date-time" },
        n: { type: ["integer", "null"], description: "How many (default 2, at most 5)" },
      },
      required: ["id", "level", "at", "n"],
      additionalProperties: false,
    });
    expect(decoded(input, { id: "a", level: null, at: null, n: null })).toEqual({ id: "a" });
    expect(decoded(input, { id: "a", level: "low", at: null, n: 1 })).toEqual({ id: "a", level: "low", n: 1 });
  });

  it("keep null apart from absence", () => {
    const input = z.object({ owner: z.string().nullish(), must: z.string().nullable() });
    expect(strictSchema(input)).toMatchObject({
      properties: {
        owner: {
          anyOf: [{ properties: { value: { type: ["string", "null"] } }, required: ["value"] }, { type: "null" }],
        },
        must: { type: ["string", "null"] },
      },
    });
    expect(decoded(input, { owner: null, must: null })).toEqual({ must: null });
    expect(decoded(input, { owner: { value: null }, must: "x" })).toEqual({ owner: null, must: "x" });
    expect(decoded(input, { owner: { value: "ada" }, must: null })).toEqual({ owner: "ada", must: null });
  });

  it("have a shape for records, tuples, any value, and go back from it", () => {
    const input = z.object({
      scores: z.record(z.string(), z.object({ n: z.int().optional() })),
      sides: z.partialRecord(z.enum(["left", "right"]), z.number()),
      pair: z.tuple([z.string(), z.int()]),
      extra: z.unknown().describe("more"),
      open: z.looseObject({ a: z.string() }),
    });
    expect(strictSchema(input)).toMatchObject({
      properties: { extra: { type: "string", description: "more (any value, as its JSON text)" } },
    });
    const args = {
      scores: [
        { key: "a", value: { n: 1 } },
        { key: "b", value: { n: null } },
      ],
      sides: { left: 1, right: null },
      pair: ["x", 2],
      extra: '{"any":[1]}',
      open: { a: "x" },
    };
    expect(decoded(input, args)).toEqual({
      scores: { a: { n: 1 }, b: {} },
      sides: { left: 1 },
      pair: ["x", 2],
      extra: { any: [1] },
      open: { a: "x" },
    });
    expect(decoded(z.record(z.string(), z.number()), { entries: [{ key: "a", value: 1 }] })).toEqual({ a: 1 });
  });

  it("convert the right member of a union back", () => {
    const input = z.object({
      to: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("id"), id: z.string().optional() }),
        z.object({ kind: z.literal("all"), except: z.record(z.string(), z.string()).optional() }),
      ]),
    });
    expect(decoded(input, { to: { kind: "id", id: null } })).toEqual({ to: { kind: "id" } });
    expect(decoded(input, { to: { kind: "all", except: [{ key: "a", value: "b" }] } })).toEqual({
      to: { kind: "all", except: { a: "b" } },
    });
  });

  it("keep recursion", () => {
    type Tree = { name: string; kids?: Tree[] | undefined };
    const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), kids: z.array(tree).optional() }));
    for (const input of [tree, z.object({ tree: tree.optional() })]) {
      expect(JSON.stringify(strictSchema(input))).toMatch(/"\$ref":"#/);
      const args = { name: "a", kids: [{ name: "b", kids: null }] };
      const whole = { name: "a", kids: [{ name: "b" }] };
      expect(decoded(input, input === tree ? args : { tree: args })).toEqual(input === tree ? whole : { tree: whole });
    }
  });

  it("leave to the reducer what a model got wrong", () => {
    const input = z.object({ n: z.int().optional(), r: z.record(z.string(), z.int()) });
    for (const args of [{}, { n: "x", r: { a: 1 } }, { n: 1, r: [{ key: "a" }] }, { other: null }])
      expect(decoded(input, args)).toEqual(args);
    expect(decoded(input, null)).toEqual({});
    expect(decoded(input, "text")).toEqual({});
  });
});

const KNOWN = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "anyOf",
  "$ref",
  "$defs",
  "description",
]);

/** What a provider's strict mode would refuse, as paths. */
function violations(json: unknown, path = "#"): string[] {
  if (typeof json !== "object" || json === null) return [`${path}: no schema`];
  const { $ref, anyOf, type, properties, required, additionalProperties, items, $defs } = json as Record<string, any>;
  const found = Object.keys(json).filter((key) => !KNOWN.has(key));
  const below = [
    ...Object.entries(properties ?? {}).flatMap(([key, part]) => violations(part, `${path}/${key}`)),
    ...Object.entries($defs ?? {}).flatMap(([key, part]) => violations(part, `${path}/$defs/${key}`)),
    ...(anyOf ?? []).flatMap((part: unknown, index: number) => violations(part, `${path}/${index}`)),
    ...(items === undefined ? [] : violations(items, `${path}/*`)),
  ];
  const object = [type].flat().includes("object");
  const closed =
    additionalProperties === false && JSON.stringify(Object.keys(properties ?? {})) === JSON.stringify(required);
  const shaped = $ref !== undefined || anyOf !== undefined || type !== undefined;
  return [
    ...found.map((key) => `${path}: ${key}`),
    ...(object && !closed ? [`${path}: open`] : []),
    ...(type === "array" && items === undefined ? [`${path}: items`] : []),
    ...(shaped ? [] : [`${path}: no type`]),
    ...below,
  ];
}

/** Values of a strict schema, as a provider guarantees them. */
function valuesOf(json: any): fc.Arbitrary<unknown> {
  if (json.anyOf !== undefined) return fc.oneof(...json.anyOf.map(valuesOf));
  if (json.enum !== undefined) return fc.constantFrom(...json.enum);
  const kinds: Record<string, () => fc.Arbitrary<unknown>> = {
    // Any value travels as its text.
    string: () =>
      json.description?.includes("JSON text") === true
        ? fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value))
        : fc.string({ maxLength: 3 }),
    integer: () => fc.integer(),
    number: () => fc.integer(),
    boolean: () => fc.boolean(),
    null: () => fc.constant(null),
    array: () => fc.uniqueArray(valuesOf(json.items), { maxLength: 3, selector: (item: any) => item?.key ?? {} }),
    object: () =>
      fc.record(Object.fromEntries(Object.entries(json.properties).map(([key, part]) => [key, valuesOf(part)]))),
  };
  return fc.oneof(
    ...[json.type].flat().map((type: string) => (kinds[type] ?? (() => fc.constant(`no values of ${type}`)))()),
  );
}

const { schema: anySchema } = fc.letrec<{ schema: z.ZodType; leaf: z.ZodType }>((tie) => ({
  leaf: fc.constantFrom<z.ZodType[]>(
    z.string(),
    z.int(),
    z.boolean(),
    z.null(),
    z.enum(["a", "b"]),
    z.literal(7),
    z.literal(["x", 1, null]),
    z.unknown(),
  ),
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }).map((shape) => z.object(shape)),
    fc
      .tuple(tie("schema"), tie("schema"))
      .map(([a, b]) => z.object({ a: a.optional(), b: b.nullable(), c: b.nullish(), d: a.default(null).optional() })),
    tie("schema").map((item) => z.array(item)),
    tie("schema").map((value) => z.record(z.string(), value)),
    fc
      .tuple(tie("schema"), tie("schema"))
      .map(([a, b]) =>
        z.discriminatedUnion("k", [
          z.object({ k: z.literal("1"), a: a.optional() }),
          z.object({ k: z.literal("2"), a: b }),
        ]),
      ),
    fc.constant(z.union([z.string(), z.array(z.int())])),
  ),
}));
const anyInput = fc.tuple(anySchema, anySchema).map(([a, b]) => z.object({ a, b: b.optional() }));

describe("any strict schema", () => {
  it("stays in the dialect, and every value of it decodes to what the input accepts", () => {
    fc.assert(
      fc.property(
        anyInput.chain((input) => fc.tuple(fc.constant(input), valuesOf(strictSchema(input)))),
        ([input, args]) => {
          expect(violations(strictSchema(input))).toEqual([]);
          const value = decoded(input, args);
          expect(input.safeParse(value).error?.message).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });
});
