// Converts to OpenAI's strict dialect of JSON Schema, and converts values back. In the dialect
// every property is required and every object closed. Limits that it lacks are put into the
// `description`, and shapes that it lacks are encoded:
//
//   optional            -> the value or null, and null back to absent
//   optional and null   -> { value } or null, so that null itself can be sent too
//   record              -> a list of { key, value }
//   anything (unknown)  -> its JSON text
//   tuple               -> a list of what its items may be
//
// Invariant: `decode` never throws, and returns an unknown value as it is: the reducer decides.
// (Long because each kind of schema has its case.)

import { defined } from "../defined.ts";
import { listOf, objectOf, requiredOf, type JsonSchema } from "./json-schema.ts";
import { withLimitsInWords } from "./words.ts";
import { isObject } from "../json/container.ts";

/**
 * A schema in the strict dialect. `fits` says whether a value has its shape. `decode` converts such
 * a value back.
 */
export interface Strict {
  readonly schema: JsonSchema;
  readonly fits: (value: unknown) => boolean;
  readonly decode: (value: unknown) => unknown;
}

/** `json`: an object at its root. */
export function strictOf(json: JsonSchema): Strict {
  const { $defs, ...body } = json;
  const parts = new Map([
    ["#", body],
    ...Object.entries(objectOf($defs)).map(([name, def]) => [`#/$defs/${name}`, objectOf(def)] as const),
  ]);
  const made = new Map<string, Strict>();
  // Resolved when a value is read: all parts exist by then.
  const scope: Scope = { json: (ref) => parts.get(ref) ?? {}, strict: (ref) => made.get(ref) ?? ANYTHING };
  for (const [ref, part] of parts) made.set(ref, ref === "#" ? rootOf(part, scope) : translate(part, scope));
  const root = scope.strict("#");
  if ($defs === undefined) return root;
  const schemas = Object.keys(objectOf($defs)).map((name) => [name, scope.strict(`#/$defs/${name}`).schema]);
  return { ...root, schema: { ...root.schema, $defs: Object.fromEntries(schemas) } };
}

/** The targets of references. */
interface Scope {
  readonly json: (ref: string) => JsonSchema;
  readonly strict: (ref: string) => Strict;
}

/** A root must stay an object, so a record at the root becomes `{ entries }`. */
function rootOf(json: JsonSchema, scope: Scope): Strict {
  if (!isRecord(json)) return translate(json, scope);
  const entries = closed({}, [{ name: "entries", strict: record(json, scope) }]);
  return { ...entries, decode: (value) => (entries.fits(value) ? objectOf(entries.decode(value))["entries"] : value) };
}

function translate(json: JsonSchema, scope: Scope): Strict {
  const { $ref, anyOf, oneOf, allOf, type } = json;
  if (typeof $ref === "string") {
    // The strict dialect ignores keywords beside a reference.
    return {
      schema: { $ref },
      fits: (value) => scope.strict($ref).fits(value),
      decode: (value) => scope.strict($ref).decode(value),
    };
  }
  const options = [...listOf(anyOf), ...listOf(oneOf)];
  if (options.length > 0) return union(json, options, scope);
  if (allOf !== undefined && type === undefined)
    return translate(Object.assign({}, json, { allOf: undefined }, ...listOf(allOf)), scope);
  if (Array.isArray(type) && type.some((one) => one === "object" || one === "array")) {
    return union(
      {},
      type.map((one) => ({ ...json, type: one })),
      scope,
    );
  }
  if (type === "object") return isRecord(json) ? record(json, scope) : object(json, scope);
  if (type === "array") return list(json, scope);
  if (type === undefined && json["enum"] === undefined && json["const"] === undefined)
    return { ...ANYTHING, schema: withLimitsInWords(json, { type: "string" }, [AS_TEXT]) };
  return scalar(json);
}

function scalar(json: JsonSchema): Strict {
  const values = "const" in json ? [json["const"]] : Array.isArray(json["enum"]) ? json["enum"] : undefined;
  const types = [json["type"] ?? values?.map((value) => typeNames(value)[0]) ?? []].flat();
  const [type, ...others] = new Set(types);
  return {
    schema: withLimitsInWords(json, {
      type: others.length === 0 ? type : [type, ...others],
      ...defined({ enum: values }),
    }),
    fits: (value) =>
      values === undefined ? typeNames(value).some((name) => types.includes(name)) : values.includes(value),
    decode: (value) => value,
  };
}

function union(json: JsonSchema, options: readonly JsonSchema[], scope: Scope): Strict {
  const members = options.map((option) => translate(option, scope));
  return {
    schema: withLimitsInWords(json, { anyOf: members.map(({ schema }) => schema) }),
    fits: (value) => members.some((member) => member.fits(value)),
    decode: (value) => members.find((member) => member.fits(value))?.decode(value) ?? value,
  };
}

function list(json: JsonSchema, scope: Scope): Strict {
  const places = listOf(json["prefixItems"]);
  const rest = typeof json["items"] === "object" ? [objectOf(json["items"])] : [];
  const kinds = [...places, ...rest];
  const item =
    kinds.length === 1 && kinds[0]
      ? translate(kinds[0], scope)
      : kinds.length === 0
        ? ANYTHING
        : union({}, distinct(kinds), scope);
  const more =
    places.length > 0 ? [`${places.length} items in a fixed order${rest.length > 0 ? ", then more" : ""}`] : [];
  return {
    schema: withLimitsInWords(json, { type: "array", items: item.schema }, more),
    fits: (value) => Array.isArray(value) && value.every((one) => item.fits(one)),
    decode: (value) => (Array.isArray(value) ? value.map((one) => item.decode(one)) : value),
  };
}

interface Property {
  readonly name: string;
  readonly strict: Strict;
}

function object(json: JsonSchema, scope: Scope): Strict {
  const names = objectOf(json["properties"]);
  // A record whose keys are all known is an object.
  const keys = Array.isArray(objectOf(json["propertyNames"])["enum"])
    ? (objectOf(json["propertyNames"])["enum"] as unknown[])
    : [];
  const given = [...Object.entries(names), ...keys.map((key) => [String(key), json["additionalProperties"]] as const)];
  const properties = given
    .map(([name, schema]) => ({ name, schema: objectOf(schema) }))
    // `never`: a property without valid values is left out.
    .filter(({ schema }) => schema["not"] === undefined)
    .map(({ name, schema }) => ({
      name,
      strict: requiredOf(json).includes(name)
        ? translate(schema, scope)
        : optional(translate(schema, scope), allowsNull(schema, scope)),
    }));
  return closed(json, properties);
}

function closed(json: JsonSchema, properties: readonly Property[]): Strict {
  const known = new Map(properties.map(({ name, strict }) => [name, strict]));
  return {
    schema: withLimitsInWords(json, {
      type: "object",
      properties: Object.fromEntries(properties.map(({ name, strict }) => [name, strict.schema])),
      required: properties.map(({ name }) => name),
      additionalProperties: false,
    }),
    fits: (value) =>
      isObject(value) &&
      Object.keys(value).every((key) => known.has(key)) &&
      properties.every(({ name, strict }) => Object.hasOwn(value, name) && strict.fits(value[name])),
    decode: (value) => {
      if (!isObject(value)) return value;
      const entries = Object.entries(value).map(
        ([key, part]) => [key, known.has(key) ? known.get(key)?.decode(part) : part] as const,
      );
      return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
    },
  };
}

function optional(inner: Strict, nullable: boolean): Strict {
  if (nullable) {
    const wrapped = closed({}, [{ name: "value", strict: inner }]);
    return {
      schema: { anyOf: [wrapped.schema, { type: "null", description: "left out" }] },
      fits: (value) => value === null || wrapped.fits(value),
      decode: (value) =>
        value === null ? undefined : inner.decode(wrapped.fits(value) ? objectOf(value)["value"] : value),
    };
  }
  return {
    schema: orNull(inner.schema),
    fits: (value) => value === null || inner.fits(value),
    decode: (value) => (value === null ? undefined : inner.decode(value)),
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (type === undefined || type === "object" || type === "array") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"].flat(),
    ...(Array.isArray(schema["enum"]) ? { enum: [...schema["enum"], null] } : {}),
  };
}

/** Whether null is a valid value. (A schema for any value becomes JSON text: null is `"null"`.) */
function allowsNull(json: JsonSchema, scope: Scope, open: readonly JsonSchema[] = []): boolean {
  if (open.includes(json)) return false;
  const { $ref, anyOf, oneOf, type } = json;
  if (typeof $ref === "string") return allowsNull(scope.json($ref), scope, [...open, json]);
  if ([...listOf(anyOf), ...listOf(oneOf)].some((option) => allowsNull(option, scope, [...open, json]))) return true;
  return (
    [type].flat().includes("null") ||
    json["const"] === null ||
    (Array.isArray(json["enum"]) && json["enum"].includes(null))
  );
}

function isRecord(json: JsonSchema): boolean {
  const { properties, propertyNames, additionalProperties } = json;
  return (
    isObject(additionalProperties) &&
    Object.keys(objectOf(properties)).length === 0 &&
    objectOf(propertyNames)["enum"] === undefined
  );
}

function record(json: JsonSchema, scope: Scope): Strict {
  const key = scalar({ type: "string", ...objectOf(json["propertyNames"]) });
  const entry = closed({}, [
    { name: "key", strict: key },
    { name: "value", strict: translate(objectOf(json["additionalProperties"]), scope) },
  ]);
  const fits = (value: unknown): value is readonly { readonly key: string; readonly value: unknown }[] =>
    Array.isArray(value) && value.every((one) => entry.fits(one));
  return {
    schema: withLimitsInWords(json, { type: "array", items: entry.schema }, ["a list of entries, each key once"]),
    fits,
    decode: (value) =>
      fits(value) ? Object.fromEntries(value.map((one) => [one.key, objectOf(entry.decode(one))["value"]])) : value,
  };
}

const AS_TEXT = "any value, as its JSON text";

/** A value of any shape is sent as its JSON text: the dialect has no schema for it. */
const ANYTHING: Strict = {
  schema: { type: "string", description: AS_TEXT },
  fits: (value) => typeof value === "string",
  decode: (value) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  },
};

function typeNames(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["number", "integer"] : [typeof value];
}

function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
