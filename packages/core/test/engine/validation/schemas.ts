// Random schemas with values that mostly satisfy them, built from zod or zod/mini alike (both have
// the same functions).

import * as fc from "fast-check";
import * as classic from "zod";
import * as mini from "zod/mini";
import { clone } from "zod/v4/core";

/** The functions that zod and zod/mini share. */
export type Zod = typeof mini;
// Only functions that both have, with the same arguments, are used.
export const libraries: readonly (readonly [string, Zod])[] = [
  ["zod", classic as unknown as Zod],
  ["zod/mini", mini],
];

export interface Sample {
  readonly name: string;
  readonly build: (z: Zod) => mini.ZodMiniType;
  readonly value: fc.Arbitrary<unknown>;
}

const KEYS = ["a", "b", "c", "d", "length", "x/y~z"];
const words = fc.constantFrom("", "a", "ab", "abc", "red", "green", "T-1", "v1.2");
const junk: fc.Arbitrary<unknown> = fc.oneof(
  words,
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(null, true, false, 0.5),
  fc.constant([]),
  fc.constant({}),
  fc.constant({ zz: 1 }),
  fc.constant(["a", 1]),
);

/** A sum over everything below: a refinement that any change may break. */
function weight(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return value === undefined ? 0 : 1;
  return Object.values(value).reduce((sum: number, item) => sum + weight(item), 1);
}

const scalar: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { name: "string", build: (z) => z.string(), value: words },
  {
    name: "string.min",
    build: (z) => z.string().check(z.minLength(1), z.maxLength(3)),
    value: fc.constantFrom("a", "ab", "abc"),
  },
  { name: "string.regex", build: (z) => z.string().check(z.regex(/^[a-z]+$/)), value: fc.constantFrom("a", "red") },
  { name: "number", build: (z) => z.number(), value: fc.integer({ min: 0, max: 9 }) },
  { name: "int", build: (z) => z.int().check(z.gte(0), z.lte(9)), value: fc.integer({ min: 0, max: 9 }) },
  {
    name: "even",
    build: (z) =>
      z.number().check(
        z.multipleOf(2),
        z.refine((n) => n < 9),
      ),
    value: fc.constantFrom(0, 2, 4, 8),
  },
  { name: "boolean", build: (z) => z.boolean(), value: fc.boolean() },
  { name: "null", build: (z) => z.null(), value: fc.constant(null) },
  { name: "enum", build: (z) => z.enum(["red", "green"]), value: fc.constantFrom("red", "green") },
  { name: "literal", build: (z) => z.literal(["a", 1, true]), value: fc.constantFrom("a", 1, true) },
  {
    name: "template",
    build: (z) => z.templateLiteral(["v", z.number(), ".", z.int()]),
    value: fc.constantFrom("v1.2", "v0.0"),
  },
  { name: "email", build: (z) => z.email(), value: fc.constantFrom("a@example.com", "b@example.org") },
  { name: "isodate", build: (z) => z.iso.date(), value: fc.constantFrom("2026-01-31", "2024-02-29") },
  { name: "unknown", build: (z) => z.unknown(), value: junk },
  { name: "brand", build: (z) => z.string().brand("Id"), value: words },
);

/**
 * Schemas whose values are all of another kind or tag, so that a union of them is not ambiguous by
 * design.
 */
function members(inner: fc.Arbitrary<Sample>): fc.Arbitrary<readonly (readonly [string, Sample, Presence])[]> {
  return fc.uniqueArray(
    fc.tuple(
      fc.constantFrom(...KEYS),
      inner,
      fc.constantFrom<Presence>("required", "required", "optional", "exact", "default"),
    ),
    { minLength: 1, maxLength: 4, selector: ([key]) => key },
  );
}

type Presence = "required" | "optional" | "exact" | "default";
type Mode = "strip" | "strict" | "loose" | "catchall";

function field(z: Zod, sample: Sample, presence: Presence): mini.ZodMiniType {
  const schema = sample.build(z);
  switch (presence) {
    case "required":
      return schema;
    case "optional":
      return z.optional(schema);
    case "exact":
      return z.exactOptional(schema);
    case "default": {
      const [value] = fc.sample(sample.value, { numRuns: 1, seed: 7 });
      return z._default(schema, value);
    }
  }
}

function object(
  fields: readonly (readonly [string, Sample, Presence])[],
  mode: Mode,
  extra?: readonly [string, Sample],
): Sample {
  const all =
    extra === undefined
      ? fields
      : [...fields.filter(([key]) => key !== extra[0]), [extra[0], extra[1], "required"] as const];
  return {
    name: `${mode}{${all.map(([key, sample, presence]) => `${key}:${presence} ${sample.name}`).join(", ")}}`,
    build(z) {
      const shape = Object.fromEntries(all.map(([key, sample, presence]) => [key, field(z, sample, presence)]));
      switch (mode) {
        case "strip":
          return z.object(shape);
        case "strict":
          return z.strictObject(shape);
        case "loose":
          return z.looseObject(shape);
        case "catchall": {
          const open = z.object(shape);
          return clone(open, { ...open._zod.def, catchall: z.number() });
        }
      }
    },
    value: fc.record(Object.fromEntries(all.map(([key, sample]) => [key, sample.value])), {
      requiredKeys: all
        .filter(([, , presence]) => presence === "required" || presence === "default")
        .map(([key]) => key),
      noNullPrototype: true,
    }),
  };
}

const mode = fc.constantFrom<Mode>("strip", "strip", "strict", "loose", "catchall");

/** Refinements of every sort, as a user may hang them on any schema. */
function refined(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc
    .tuple(inner, fc.constantFrom("refine", "path", "super", "abort", "when", "check"))
    .map(([sample, sort]) => ({
      name: `${sort}(${sample.name})`,
      value: sample.value,
      build(z) {
        const schema = sample.build(z);
        const holds = (value: unknown): boolean => weight(value) % 7 !== 3;
        switch (sort) {
          case "refine":
            return schema.check(z.refine(holds, "weight"));
          case "path":
            return schema.check(z.refine(holds, { path: ["a"], error: "weight" }));
          case "super":
            return schema.check(
              z.superRefine(
                (value, context) =>
                  void (holds(value) || context.addIssue({ code: "custom", message: "weight", input: value })),
              ),
            );
          case "abort":
            return schema.check(
              z.refine(holds, { abort: true }),
              z.refine((value) => weight(value) % 5 !== 2),
            );
          case "when":
            return schema.check(z.refine(holds, { when: (payload) => payload.issues.length === 0 }));
          default:
            return schema.check((payload) => {
              if (!holds(payload.value))
                payload.issues.push({ code: "custom", message: "weight", input: payload.value });
            });
        }
      },
    }));
}

export const { sample: samples, container: containers } = fc.letrec<{ sample: Sample; container: Sample }>((tie) => {
  const inner = tie("sample");
  const array = fc
    .tuple(inner, fc.constantFrom(0, 1), fc.constantFrom(4, 8, undefined))
    .map(([element, min, max]): Sample => ({
      name: `array(${element.name})[${min}..${max ?? ""}]`,
      build: (z) => z.array(element.build(z)).check(z.minLength(min), ...(max === undefined ? [] : [z.maxLength(max)])),
      value: fc.array(element.value, { minLength: min, maxLength: 6 }).map((items) => items.slice(0, max)),
    }));
  const record = fc
    .tuple(inner, fc.constantFrom("any", "regex", "enum", "partial", "loose"))
    .map(([element, keys]): Sample => ({
      name: `record.${keys}(${element.name})`,
      build(z) {
        const value = element.build(z);
        const listed = z.enum(["a", "b"]);
        if (keys === "any") return z.record(z.string(), value);
        if (keys === "regex") return z.record(z.string().check(z.regex(/^[a-c]$/)), value);
        if (keys === "enum") return z.record(listed, value);
        return keys === "partial"
          ? z.partialRecord(listed, value)
          : z.looseRecord(z.string().check(z.regex(/^[ab]$/)), value);
      },
      value:
        keys === "enum"
          ? fc.record({ a: element.value, b: element.value }, { noNullPrototype: true })
          : fc.dictionary(fc.constantFrom("a", "b"), element.value, { noNullPrototype: true }),
    }));
  const tuple = fc
    .tuple(fc.array(inner, { minLength: 1, maxLength: 3 }), fc.option(inner, { nil: undefined }), fc.boolean())
    .map(([items, rest, optional]): Sample => ({
      name: `tuple(${items.map(({ name }) => name).join(", ")}${rest ? `, ...${rest.name}` : ""}${optional ? "?" : ""})`,
      build(z) {
        const built = items.map((item, index) =>
          optional && index === items.length - 1 ? z.optional(item.build(z)) : item.build(z),
        );
        return rest === undefined ? z.tuple(built as never) : z.tuple(built as never, rest.build(z));
      },
      value: fc
        .tuple(
          fc.tuple(...items.map(({ value }) => value)),
          rest ? fc.array(rest.value, { maxLength: 3 }) : fc.constant([]),
        )
        .map(([head, tail]) => [...head, ...tail]),
    }));
  const plain = fc.tuple(members(inner), mode).map(([fields, how]) => object(fields, how));
  const tagged = fc
    .tuple(
      fc.array(fc.tuple(members(inner), mode), { minLength: 2, maxLength: 3 }),
      fc.constantFrom("discriminated", "plain", "fallback"),
    )
    .map(([variants, how]): Sample => {
      const options = variants.map(([fields, objectMode], index) =>
        object(fields, objectMode, [
          "kind",
          { name: `"k${index}"`, build: (z) => z.literal(`k${index}`), value: fc.constant(`k${index}`) },
        ]),
      );
      return {
        name: `${how}Union(${options.map(({ name }) => name).join(" | ")})`,
        build(z) {
          const built = options.map((option) => option.build(z)) as never;
          return how === "plain"
            ? z.union(built)
            : z.discriminatedUnion("kind", built, how === "fallback" ? { unionFallback: true } : {});
        },
        value: fc.oneof(...options.map(({ value }) => value)),
      };
    });
  const mixed = fc
    .tuple(fc.array(inner, { minLength: 2, maxLength: 3 }), fc.constantFrom("union", "union", "xor"))
    .map(([options, how]): Sample => ({
      name: `${how}(${options.map(({ name }) => name).join(" | ")})`,
      build: (z) =>
        how === "xor"
          ? z.xor(options.map((option) => option.build(z)) as never)
          : z.union(options.map((option) => option.build(z)) as never),
      value: fc.oneof(...options.map(({ value }) => value)),
    }));
  const intersection = fc.tuple(members(inner), members(inner), mode).map(([left, right, how]): Sample => {
    const [one, two] = [
      object(
        left.filter(([, , presence]) => presence !== "default"),
        how,
      ),
      object(
        right.filter(([key]) => left.every(([other]) => other !== key)),
        "strip",
      ),
    ];
    return {
      name: `${one.name} & ${two.name}`,
      build: (z) => z.intersection(one.build(z), two.build(z)),
      value: fc.tuple(one.value, two.value).map(([a, b]) => ({ ...(a as object), ...(b as object) })),
    };
  });
  const wrapped = fc
    .tuple(inner, fc.constantFrom("nullable", "readonly", "nonoptional", "lazy", "default", "pipe"))
    .map(([one, how]): Sample => ({
      name: `${how}(${one.name})`,
      build(z) {
        const schema = one.build(z);
        if (how === "nullable") return z.nullable(schema);
        if (how === "readonly") return z.readonly(schema);
        if (how === "nonoptional") return z.nonoptional(z.optional(schema));
        if (how === "lazy") return z.lazy(() => schema);
        return how === "pipe"
          ? z.pipe(schema, z.unknown().check(z.refine((value) => weight(value) % 11 !== 5)))
          : field(z, one, "default");
      },
      value: how === "nullable" ? fc.option(one.value) : one.value,
    }));
  // Not of unions: in zod, a union that a strict object is piped into forgets its unknown keys.
  const piped = scalar.map((element): Sample => ({
    name: `pipe(array(${element.name}))`,
    build: (z) => z.pipe(z.array(element.build(z)), z.array(element.build(z)).check(z.maxLength(3))),
    value: fc.array(element.value, { maxLength: 3 }),
  }));
  // What is caught may be replaced by what the schema itself would refuse.
  const caughtList = fc.tuple(inner, fc.boolean()).map(([element, list]): Sample => ({
    name: `catch(${list ? "array" : "record"}(${element.name}))`,
    build: (z) =>
      list
        ? z.catch(z.array(element.build(z)).check(z.minLength(1), z.maxLength(3)), [])
        : z.catch(
            z.record(z.string(), element.build(z)).check(z.refine((value) => weight(value) % 3 !== 1)),
            null as never,
          ),
    value: list
      ? fc.array(element.value, { minLength: 1, maxLength: 3 })
      : fc.dictionary(fc.constantFrom("a", "b"), element.value, { noNullPrototype: true }),
  }));
  const caught = scalar.map((one): Sample => ({
    name: `catch(${one.name})`,
    build: (z) => z.catch(one.build(z), fc.sample(one.value, { numRuns: 1, seed: 3 })[0]),
    value: one.value,
  }));
  const recursive = fc.tuple(members(inner), fc.constantFrom("getter", "lazy", "json")).map(([fields, how]): Sample => {
    if (how === "json")
      return {
        name: "json",
        build: (z) => z.json(),
        value: fc.array(fc.dictionary(fc.constantFrom("a", "b"), words, { noNullPrototype: true }), { maxLength: 3 }),
      };
    const own = fields.filter(([key]) => key !== "d").slice(0, 1);
    const tree = (depth: number): fc.Arbitrary<unknown> =>
      fc
        .tuple(
          object(own, "strip").value,
          fc.array(depth === 0 ? fc.constant({}) : tree(depth - 1), { maxLength: depth === 0 ? 0 : 2 }),
        )
        .map(([self, children]) => ({ ...(self as object), d: children }));
    return {
      name: `tree.${how}{${own.map(([key, sample]) => `${key}: ${sample.name}`).join()}}`,
      build(z) {
        const shape = Object.fromEntries(own.map(([key, sample, presence]) => [key, field(z, sample, presence)]));
        const node: mini.ZodMiniType =
          how === "lazy"
            ? z.object({ ...shape, d: z.lazy(() => z.array(node)) })
            : z.object({
                ...shape,
                get d() {
                  return z.array(node);
                },
              });
        return node;
      },
      value: tree(2),
    };
  });
  const any = fc.oneof(
    { depthSize: "small", withCrossShrink: true, maxDepth: 4 },
    { arbitrary: scalar, weight: 3 },
    { arbitrary: tie("container"), weight: 4 },
    { arbitrary: mixed, weight: 1 },
    { arbitrary: wrapped, weight: 2 },
    { arbitrary: caught, weight: 1 },
    { arbitrary: caughtList, weight: 1 },
    { arbitrary: piped, weight: 1 },
  );
  const box = fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    plain,
    plain,
    plain,
    array,
    array,
    record,
    tuple,
    tagged,
    intersection,
    recursive,
  );
  return { sample: any, container: fc.oneof({ arbitrary: box, weight: 3 }, { arbitrary: refined(box), weight: 2 }) };
});

export { junk };
