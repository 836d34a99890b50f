// Removes what a schema does not describe: unknown properties, and members of a union with an
// unknown tag. So an event of a newer agent is understood as far as possible.
//
// Invariants:
// - Every omission is reported.
// - What the schema does describe is not checked here.
// - A schema is compiled once. Positions that may hold any JSON are skipped: nothing in them is
//   unknown.

import { isObject } from "@opstate/core/json";
import type { $ZodType, $ZodTypeDef, $ZodTypes } from "zod/v4/core";

/** What was left out. `path` is a JSON Pointer. */
export interface Omission {
  readonly code: "unknown_property" | "unknown_member";
  readonly path: string;
}

/**
 * Gives the value without its unknown parts: the same value when there are none, `DROP` when all of
 * it is unknown.
 */
export type Strip = (value: unknown, path: string, omitted: Omission[]) => unknown;

export const DROP = Symbol("an unknown member of a union");

const keepAsIs: Strip = (value) => value;

export function compileStrip(schema: $ZodType): Strip {
  const inner = unwrap(schema);
  const def = inner._zod.def as $ZodTypes["_zod"]["def"];
  switch (def.type) {
    case "object":
      return stripObject(def.shape, isOpen(inner));
    case "array":
      return stripArray(compileStrip(def.element));
    case "union":
      return stripUnion(def.options, "discriminator" in def ? String(def.discriminator) : undefined);
    default:
      return keepAsIs;
  }
}

function stripObject(shape: Readonly<Record<string, $ZodType>>, open: boolean): Strip {
  const fields = new Map(
    Object.entries(shape).map(([key, field]) => [key, { strip: compileStrip(field), optional: isOptional(field) }]),
  );
  return (value, path, omitted) => {
    if (!isObject(value)) return value;
    let result: Record<string, unknown> | undefined;
    const start = omitted.length;
    for (const key of Object.keys(value)) {
      const field = fields.get(key);
      if (field === undefined) {
        // RFC 6902 says that undefined members of an operation are ignored, so they are not
        // unknown.
        if (open) continue;
        omitted.push({ code: "unknown_property", path: `${path}/${key}` });
        result = without(result ?? value, key);
        continue;
      }
      const mark = omitted.length;
      const child = field.strip(value[key], `${path}/${key}`, omitted);
      if (child === DROP) {
        // The omissions inside of what is dropped are not reported.
        omitted.length = field.optional ? mark : start;
        if (!field.optional) return DROP;
        omitted.push({ code: "unknown_member", path: `${path}/${key}` });
        result = without(result ?? value, key);
      } else if (child !== value[key]) {
        result = { ...(result ?? value), [key]: child };
      }
    }
    return result ?? value;
  };
}

function stripArray(element: Strip): Strip {
  if (element === keepAsIs) return keepAsIs;
  return (value, path, omitted) => {
    if (!Array.isArray(value)) return value;
    let changed = false;
    const result: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const mark = omitted.length;
      const child = element(item, `${path}/${index}`, omitted);
      if (child === DROP) {
        omitted.length = mark;
        omitted.push({ code: "unknown_member", path: `${path}/${index}` });
      } else result.push(child);
      changed ||= child !== item;
    }
    return changed ? result : value;
  };
}

function stripUnion(options: readonly $ZodType[], discriminator: string | undefined): Strip {
  if (discriminator === undefined) {
    // Of a plain union, only arrays have parts: a message's content is a string or a list of parts.
    const arrays = options.map(compileStrip).filter((strip) => strip !== keepAsIs);
    return arrays.length === 0
      ? keepAsIs
      : (value, path, omitted) => (Array.isArray(value) ? arrays[0]!(value, path, omitted) : value);
  }
  const members = new Map(options.map((option) => [tagOf(option, discriminator), compileStrip(option)]));
  return (value, path, omitted) => {
    if (!isObject(value)) return value;
    const member = members.get(value[discriminator]);
    return member === undefined ? DROP : member(value, path, omitted);
  };
}

/** The value by which this member of a union is recognized. */
export function tagOf(schema: $ZodType, discriminator: string): unknown {
  const def = unwrap(schema)._zod.def as $ZodTypes["_zod"]["def"];
  const field = def.type === "object" ? def.shape[discriminator] : undefined;
  const literal = field?._zod.def as $ZodTypes["_zod"]["def"] | undefined;
  return literal?.type === "literal" ? literal.values[0] : undefined;
}

function unwrap(schema: $ZodType): $ZodType {
  const def: $ZodTypeDef & { readonly innerType?: $ZodType; readonly in?: $ZodType } = schema._zod.def;
  if (def.innerType !== undefined) return unwrap(def.innerType);
  // The input of a pipe is what the stream carries.
  return def.type === "pipe" && def.in !== undefined ? unwrap(def.in) : schema;
}

function isOptional(schema: $ZodType): boolean {
  return schema._zod.optin !== undefined;
}

function isOpen(schema: $ZodType): boolean {
  return "meta" in schema && typeof schema.meta === "function" && schema.meta()?.specOpen === true;
}

function without(record: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _left, ...rest } = record;
  return rest;
}
