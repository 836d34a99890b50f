// zod schemas as JSON Schemas for models: draft 2020-12, without `$schema`.
//
// - Keywords without information are removed: they cost tokens.
// - Unions and references at the root, which providers refuse, become one object.
// - Nothing is stricter than zod: the reducer decides.

import { defined } from "../defined.ts";
import { globalRegistry, toJSONSchema, type $ZodType } from "zod/v4/core";
import type { AnyDefinition } from "../definition/definition.ts";
import { childrenAt } from "../definition/schema-path.ts";
import { isObject } from "../json/container.ts";
import type { Model } from "../engine/model.ts";

/** A JSON Schema. `true` and `false` do not come out of zod where a schema stands. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The JSON Schema of an operation's input: always an object at its root. */
export function inputSchema(input: $ZodType): JsonSchema {
  return objectRoot(generate(input, new Set(), new Map()));
}

/** The JSON Schema of a replacement: a whole state without its derived fields. */
export function stateSchema({ schema, model }: AnyDefinition): JsonSchema {
  const derived = model.derive.flatMap(({ container, field }) => schemasAt(model.looseSchema, [...container, field]));
  return generate(model.looseSchema, new Set(derived), writtenOf(schema, model));
}

/** The originals of a loosened schema's parts: the copies have lost the author's descriptions. */
function writtenOf(schema: $ZodType, { looseSchema, derive }: Model): ReadonlyMap<$ZodType, $ZodType> {
  const written = new Map<$ZodType, $ZodType>();
  for (const { container } of derive) {
    for (const depth of [...container, ""].keys()) {
      const originals = schemasAt(schema, container.slice(0, depth));
      for (const [index, loose] of schemasAt(looseSchema, container.slice(0, depth)).entries())
        written.set(loose, originals[index] ?? loose);
    }
  }
  return written;
}

/** `schema` as a part of a larger one. `defs`: its definitions, prefixed with `name`. */
export function nested(schema: JsonSchema, name: string): { readonly schema: JsonSchema; readonly defs: JsonSchema } {
  const { $defs, ...body } = schema;
  const at = (ref: string) => (ref === "#" ? `#/$defs/${name}` : ref.replace("#/$defs/", `#/$defs/${name}_`));
  const defs = Object.fromEntries(
    Object.entries(objectOf($defs)).map(([key, def]) => [`${name}_${key}`, repointed(def, at)]),
  );
  const whole = objectOf(repointed(body, at));
  if (!JSON.stringify(schema).includes('"$ref":"#"')) return { schema: whole, defs };
  return { schema: { $ref: `#/$defs/${name}` }, defs: { ...defs, [name]: whole } };
}

export function objectOf(value: unknown): JsonSchema {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function generate(
  schema: $ZodType,
  hidden: ReadonlySet<$ZodType>,
  written: ReadonlyMap<$ZodType, $ZodType>,
): JsonSchema {
  const { $schema: _, ...json } = toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (def.type === "object") {
        for (const [key, child] of Object.entries(def.shape))
          if (hidden.has(child)) delete jsonSchema.properties?.[key];
      }
      const original = written.get(zodSchema);
      const description = original === undefined ? undefined : globalRegistry.get(original)?.description;
      if (description !== undefined) jsonSchema.description ??= description;
      removeNoise(jsonSchema);
    },
  });
  return withoutUnused(json);
}

/** Removes keywords without information. */
function removeNoise(json: Record<string, unknown>): void {
  // `freeText` is for pages: they show such a text while a model writes it.
  delete json["freeText"];
  if (json["maximum"] === Number.MAX_SAFE_INTEGER) delete json["maximum"];
  if (json["minimum"] === Number.MIN_SAFE_INTEGER) delete json["minimum"];
  if (json["format"] !== undefined) delete json["pattern"];
  if (JSON.stringify(json["propertyNames"]) === '{"type":"string"}') delete json["propertyNames"];
  if (json["type"] === "object" && json["properties"] === undefined) json["properties"] = {};
}

function withoutUnused(json: JsonSchema): JsonSchema {
  const { $defs, ...body } = json;
  const defs = objectOf($defs);
  const used = new Set<string>();
  const look = (part: unknown): void => {
    for (const [name, def] of Object.entries(defs)) {
      if (used.has(name) || !JSON.stringify(part).includes(`"#/$defs/${name}"`)) continue;
      used.add(name);
      look(def);
    }
  };
  look(body);
  return used.size === 0
    ? body
    : { ...body, $defs: Object.fromEntries(Object.entries(defs).filter(([name]) => used.has(name))) };
}

/**
 * Providers accept only an object at the root: a union of objects becomes one object with the
 * properties of all.
 */
function objectRoot(json: JsonSchema): JsonSchema {
  const { $defs, ...body } = json;
  const members = membersOf(body, objectOf($defs));
  const [only] = members;
  if (only !== undefined && members.length === 1)
    return {
      ...only,
      ...describe(body["description"]),
      properties: objectOf(only["properties"]),
      ...defined({ $defs }),
    };
  const names = [...new Set(members.flatMap((member) => Object.keys(objectOf(member["properties"]))))];
  const properties = names.map(
    (name) => [name, either(members.flatMap((member) => valueAt(member["properties"], name)))] as const,
  );
  const required = names.filter((name) => members.every((member) => requiredOf(member).includes(name)));
  const hints = members.length > 1 ? `Exactly one of these: ${members.map(shapeOf).join(" | ")}` : undefined;
  const description = [body["description"], hints].filter((part) => typeof part === "string").join(". ");
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...describe(description),
    ...defined({ $defs }),
  };
}

function describe(description: unknown): JsonSchema {
  return typeof description === "string" && description !== "" ? { description } : {};
}

/** The possible objects of a root: unions and references resolved, intersections joined. */
function membersOf(json: JsonSchema, defs: JsonSchema): readonly JsonSchema[] {
  const { $ref, anyOf, oneOf, allOf } = json;
  if (typeof $ref === "string") return membersOf(objectOf(defs[$ref.replace("#/$defs/", "")]), defs);
  if (anyOf !== undefined || oneOf !== undefined)
    return [...listOf(anyOf), ...listOf(oneOf)].flatMap((option) => membersOf(option, defs));
  if (allOf === undefined) return [json];
  return listOf(allOf)
    .map((part) => membersOf(part, defs))
    .reduce((joined, parts) => joined.flatMap((left) => parts.map((right) => joinedOf(left, right))), [json]);
}

function joinedOf(left: JsonSchema, right: JsonSchema): JsonSchema {
  const properties = { ...objectOf(left["properties"]), ...objectOf(right["properties"]) };
  return { type: "object", properties, required: [...new Set([...requiredOf(left), ...requiredOf(right)])] };
}

function either(options: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(options.map((option) => [JSON.stringify(option), option])).values()];
  const [only] = distinct;
  if (only !== undefined && distinct.length === 1) return only;
  const constants = distinct.flatMap((option) => ("const" in option ? [option["const"]] : []));
  return constants.length === distinct.length ? { enum: constants } : { anyOf: distinct };
}

/** `{ kind: "circle", radius, label? }` */
function shapeOf(member: JsonSchema): string {
  const keys = Object.entries(objectOf(member["properties"])).map(([name, value]) => {
    const constant = objectOf(value)["const"];
    return `${name}${requiredOf(member).includes(name) ? "" : "?"}${constant === undefined ? "" : `: ${JSON.stringify(constant)}`}`;
  });
  return `{ ${keys.join(", ")} }`;
}

export function requiredOf(json: JsonSchema): readonly unknown[] {
  return Array.isArray(json["required"]) ? json["required"] : [];
}

function valueAt(properties: unknown, name: string): readonly JsonSchema[] {
  const found = objectOf(properties);
  return Object.hasOwn(found, name) ? [objectOf(found[name])] : [];
}

function schemasAt(schema: $ZodType, path: readonly string[]): readonly $ZodType[] {
  return path.reduce<readonly $ZodType[]>((found, token) => found.flatMap((at) => childrenAt(at, token)), [schema]);
}

function repointed(value: unknown, at: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => repointed(item, at));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === "$ref" && typeof part === "string" ? at(part) : repointed(part, at),
    ]),
  );
}
