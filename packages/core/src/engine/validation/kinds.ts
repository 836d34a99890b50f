// Which kinds of JSON value a schema can accept: unions choose their branches by it. And which
// schema a wrapper wraps.

import type { $ZodType } from "zod/v4/core";

export type Kind = "string" | "number" | "boolean" | "null" | "array" | "object" | "absent";

/** The types of schema that accept one kind only, and the kinds of `typeof`. */
export const ONE: Readonly<Record<string, Kind>> = {
  string: "string",
  template_literal: "string",
  number: "number",
  boolean: "boolean",
  null: "null",
  array: "array",
  tuple: "array",
  object: "object",
  record: "object",
};

export function kindOf(value: unknown): Kind | undefined {
  if (value === undefined) return "absent";
  return value === null ? "null" : ONE[Array.isArray(value) ? "array" : typeof value];
}

/**
 * Whether `schema` may accept values of this kind: never false when it does, possibly true when it
 * does not.
 */
export function mayAccept(schema: $ZodType, kind: Kind | undefined): boolean {
  const { values, def } = schema._zod;
  if (kind === undefined || def.type === "catch" || ("coerce" in def && def.coerce === true)) return true;
  const inner = innerOf(schema);
  if (inner !== undefined) return kind === (def.type === "nullable" ? "null" : "absent") || mayAccept(inner, kind);
  if ("in" in def) return mayAccept(def.in as $ZodType, kind);
  // Only a schema's own values count: zod gives a wrapper of a catch the inner values, though it
  // accepts anything.
  if (values !== undefined && ("values" in def || "entries" in def))
    return [...values].some((value) => kindOf(value) === kind);
  return (ONE[def.type] ?? kind) === kind;
}

/** Schemas around one other schema, which decides about every value that is present. */
const WRAPPERS = new Set(["optional", "nullable", "default", "prefault", "catch", "readonly", "nonoptional", "lazy"]);

export function isWrapper(schema: $ZodType): schema is $ZodType & {
  readonly _zod: { readonly def: { readonly innerType?: $ZodType }; readonly innerType?: $ZodType };
} {
  return WRAPPERS.has(schema._zod.def.type);
}

/**
 * The schema that a wrapper wraps. For a lazy schema it is the remembered one: its getter may
 * return a new schema each time.
 */
export function innerOf(schema: $ZodType): $ZodType | undefined {
  return isWrapper(schema) ? (schema._zod.def.innerType ?? schema._zod.innerType) : undefined;
}
