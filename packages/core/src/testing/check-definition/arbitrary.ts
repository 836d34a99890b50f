// Generates values of a zod 4 schema for property tests. In an operation's input, strings and
// numbers may be a `Reference` to a value of the current state, so that ids match. A `Pool`
// replaces the references once the state is known.
//
// Invariant: a schema without a generator throws `Unmakeable`. It never gives invalid values.

import fc from "fast-check";
import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { compileValidator } from "../../engine/validation/validate.ts";
import { innerOf } from "../../engine/validation/kinds.ts";
import { Reference, singular } from "./pool.ts";
import { isObject } from "../../json/container.ts";
import { PROTO } from "../../json/reserved-keys.ts";

/** No value can be generated for a schema. */
export class Unmakeable extends Error {}

/** How often a schema may be nested in itself. */
const RECURSION = 3;

/**
 * With `references`, values may fail the checks of whole objects and lists: such an input is
 * refused like any other.
 */
export function arbitraryOf(schema: $ZodType, options: { readonly references: boolean }): fc.Arbitrary<unknown> {
  return new Maker(options.references).make(schema, "", []);
}

class Maker {
  readonly #references: boolean;

  constructor(references: boolean) {
    this.#references = references;
  }

  make(schema: $ZodType, key: string, around: readonly $ZodType[]): fc.Arbitrary<unknown> {
    if (around.filter((open) => open === schema).length >= RECURSION) throw new Unmakeable("the schema has no end");
    const made = this.#type(schema, key, [...around, schema]);
    // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
    const { def } = (schema as $ZodTypes)._zod;
    const checked = (def.checks?.length ?? 0) > 0 || schema._zod.traits.has("$ZodCheck");
    const leaf = def.type === "string" || def.type === "number" || def.type === "template_literal";
    const sure = checked && (leaf || !this.#references) ? satisfying(made, schema) : made;
    return this.#references && (def.type === "string" || def.type === "number")
      ? withReferences(sure, def.type, key)
      : sure;
  }

  #type(schema: $ZodType, key: string, around: readonly $ZodType[]): fc.Arbitrary<unknown> {
    const { def } = (schema as $ZodTypes)._zod;
    const inner = (child: $ZodType) => this.make(child, key, around);
    switch (def.type) {
      case "string":
      case "template_literal":
        return text(schema, key);
      case "number":
        return number(schema);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "literal":
      case "enum":
        return fc.constantFrom(...(schema._zod.values ?? []));
      case "any":
      case "unknown":
        return fc.jsonValue({ maxDepth: 1 });
      case "object": {
        const shape = Object.entries(def.shape).map(
          ([name, child]) => [name, this.#field(child, name, around)] as const,
        );
        const made = shape.flatMap(([name, child]) => (child === undefined ? [] : [[name, child] as const]));
        const requiredKeys = made.map(([name]) => name).filter((name) => def.shape[name]?._zod.optin !== "optional");
        return fc.record(Object.fromEntries(made), { requiredKeys });
      }
      case "array": {
        const { minimum, maximum } = boundsOf(schema);
        const minLength = Math.max(0, minimum);
        const items = attempt(() => this.make(def.element, singular(key), around));
        if (items === undefined && minLength > 0) throw new Unmakeable("a list whose items cannot be made");
        return items === undefined
          ? fc.constant([])
          : fc.array(items, { minLength, maxLength: Math.max(minLength, Math.min(maximum, minLength + 4)) });
      }
      case "tuple": {
        const items = def.items.map(inner);
        return fc.tuple(...items, ...(def.rest ? [inner(def.rest)] : []));
      }
      case "record": {
        const keys = satisfying(
          inner(def.keyType).filter((name) => typeof name === "string" && name !== PROTO),
          def.keyType,
        );
        const names = [...(def.keyType._zod.values ?? [])].map(String);
        const values = inner(def.valueType);
        if (names.length > 0) return fc.record(Object.fromEntries(names.map((name) => [name, values])));
        return fc.dictionary(keys.map(String), values, { maxKeys: 4, noNullPrototype: true });
      }
      case "union":
        return anyOf(def.options.map((option) => attempt(() => inner(option))));
      case "intersection":
        return fc
          .tuple(inner(def.left), inner(def.right))
          .map(([left, right]) => (isObject(left) && isObject(right) ? { ...left, ...right } : left));
      case "pipe":
        return inner(def.in);
      case "optional":
      case "default":
      case "prefault":
      case "catch":
        return anyOf([fc.constant(undefined), attempt(() => inner(def.innerType))]);
      case "nullable":
        return anyOf([fc.constant(null), attempt(() => inner(def.innerType))]);
      default: {
        const wrapped = innerOf(schema);
        if (wrapped === undefined) throw new Unmakeable(`values of z.${def.type}() cannot be made`);
        return inner(wrapped);
      }
    }
  }

  #field(child: $ZodType, name: string, around: readonly $ZodType[]): fc.Arbitrary<unknown> | undefined {
    if (child._zod.optin === "optional") return attempt(() => this.make(child, name, around));
    return this.make(child, name, around);
  }
}

function withReferences(made: fc.Arbitrary<unknown>, kind: "string" | "number", key: string): fc.Arbitrary<unknown> {
  const reference = fc.tuple(fc.nat(999), made).map(([pick, otherwise]) => new Reference(kind, key, pick, otherwise));
  return fc.oneof({ arbitrary: made, weight: 1 }, { arbitrary: reference, weight: 3 });
}

const ANY_TIME = fc
  .date({ min: new Date(0), max: new Date("2099-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  datetime: ANY_TIME,
  date: ANY_TIME.map((text) => text.slice(0, 10)),
  time: ANY_TIME.map((text) => text.slice(11, 19)),
  email: fc
    .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{2,6}$/))
    .map(([name, host]) => `${name}@${host}.org`),
  url: fc.webUrl(),
  uuid: fc.uuid(),
  guid: fc.uuid(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
  base64: fc.base64String(),
  json_string: fc.json(),
};

function text(schema: $ZodType, key: string): fc.Arbitrary<string> {
  const { minimum: least, maximum, format, pattern: ownPattern } = boundsOf(schema);
  const minimum = Math.max(0, least);
  const known = format === undefined ? undefined : FORMATS[format];
  if (known !== undefined) return known;
  const pattern = schema._zod.def.type === "template_literal" ? schema._zod.pattern : ownPattern;
  const matching = pattern === undefined ? undefined : attempt(() => fc.stringMatching(pattern));
  if (matching !== undefined) return matching;
  const plain = fc.string({ minLength: minimum, maxLength: Math.min(maximum, minimum + 8) });
  if (!/(?:id|key)$/i.test(key) || maximum < key.length + 5) return plain;
  // Mostly distinct ids, because many states need unique ones.
  return fc.oneof({ arbitrary: fc.nat(9999).map((n) => `${key}-${n}`), weight: 9 }, { arbitrary: plain, weight: 1 });
}

function number(schema: $ZodType): fc.Arbitrary<number> {
  const { minimum, maximum, multipleOf, format } = boundsOf(schema);
  const low = Math.max(minimum, Math.min(-1e9, maximum - 100));
  const high = Math.min(maximum, Math.max(1e9, minimum + 100));
  const step = multipleOf ?? 1;
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
  const whole = first > last ? undefined : fc.integer({ min: first, max: last }).map((n) => n * step);
  const near = Math.max(first, Math.min(0, last));
  const small =
    first > last ? undefined : fc.integer({ min: near, max: Math.min(last, near + 5) }).map((n) => n * step);
  const real =
    format === undefined && multipleOf === undefined
      ? fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true })
      : undefined;
  return anyOf([small, small, whole, real]).map((n) => (n === 0 ? 0 : n));
}

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly multipleOf: number | undefined;
  readonly format: string | undefined;
  readonly pattern: RegExp | undefined;
}

/** The bounds of a schema's own checks, as hints: every generated value is validated in the end. */
function boundsOf(schema: $ZodType): Bounds {
  const own = schema._zod.traits.has("$ZodCheck") ? [schema._zod.def] : [];
  const checks = [...own, ...(schema._zod.def.checks ?? []).map((check) => check._zod.def)].map(
    (def): Readonly<Record<string, unknown>> => ({ ...def }),
  );
  const numbers = (...pairs: readonly (readonly [check: string, property: string])[]) =>
    checks.flatMap((def) =>
      pairs.flatMap(([check, property]) => (def["check"] === check ? [Number(def[property])] : [])),
    );
  const [pattern] = checks.flatMap((def) => (def["pattern"] instanceof RegExp ? [def["pattern"]] : []));
  const [format] = checks.flatMap((def) => (typeof def["format"] === "string" ? [def["format"]] : []));
  return {
    minimum: Math.max(
      ...numbers(["min_length", "minimum"], ["length_equals", "length"], ["greater_than", "value"]),
      format === "uint32" ? 0 : -Infinity,
    ),
    maximum: Math.min(
      ...numbers(["max_length", "maximum"], ["length_equals", "length"], ["less_than", "value"]),
      Infinity,
    ),
    multipleOf: numbers(["multiple_of", "value"])[0],
    format,
    pattern,
  };
}

function anyOf<Value>(made: readonly (fc.Arbitrary<Value> | undefined)[]): fc.Arbitrary<Value> {
  const some = made.filter((one) => one !== undefined);
  if (some.length === 0) throw new Unmakeable("no member of a union can be made");
  return fc.oneof(...some);
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const TRIED = 200;

/**
 * Values that the schema accepts. Where they are rare, only the sampled ones: a filter might not
 * end.
 */
function satisfying(made: fc.Arbitrary<unknown>, schema: $ZodType): fc.Arbitrary<unknown> {
  const validator = compileValidator(schema);
  const valid = (value: unknown) => attempt(() => validator.full(value).ok) === true;
  const found = fc.sample(made, { numRuns: TRIED, seed: 1 }).filter(valid);
  if (found.length === 0) throw new Unmakeable("no value was found that satisfies a schema's checks");
  return found.length * 5 >= TRIED ? made.filter(valid) : fc.constantFrom(...found);
}
