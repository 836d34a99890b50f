// Which kinds of JSON value a schema can accept at all. Unions choose their branches by it, definitions are checked with it.

import type { $ZodType, $ZodTypes } from "zod/v4/core";

type Kind = "string" | "number" | "boolean" | "null" | "array" | "object" | "absent";

export type Kinds = ReadonlySet<Kind>;

const ALL: Kinds = new Set<Kind>(["string", "number", "boolean", "null", "array", "object", "absent"]);

export function kindOf(value: unknown): Kind | undefined {
  if (value === null) return "null";
  if (value === undefined) return "absent";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object" ? type : undefined;
}

/** The kinds that `schema` may accept: never too few, possibly too many. `open` holds the schemas being looked at, so that recursion ends. */
export function kindsOf(schema: $ZodType, open: ReadonlySet<$ZodType> = new Set()): Kinds {
  if (open.has(schema)) return ALL;
  const inner = (child: $ZodType, ...more: readonly Kind[]): Kinds => new Set([...kindsOf(child, new Set([...open, schema])), ...more]);
  // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
  const { def } = (schema as $ZodTypes)._zod;
  if ("coerce" in def && def.coerce) return ALL;
  switch (def.type) {
    case "string":
    case "template_literal":
      return new Set(["string"]);
    case "number":
      return new Set(["number"]);
    case "boolean":
      return new Set(["boolean"]);
    case "null":
      return new Set(["null"]);
    case "array":
    case "tuple":
      return new Set(["array"]);
    case "object":
    case "record":
      return new Set(["object"]);
    case "enum":
    case "literal":
      return new Set([...(schema._zod.values ?? [])].map(kindOf).filter((kind) => kind !== undefined));
    case "never":
      return new Set();
    case "catch":
      return ALL;
    case "pipe":
      return inner(def.in);
    case "union":
      return new Set(def.options.flatMap((option) => [...inner(option)]));
    case "intersection": {
      const right = inner(def.right);
      return new Set([...inner(def.left)].filter((kind) => right.has(kind)));
    }
    default: {
      const wrapped = innerOf(schema);
      return wrapped === undefined ? ALL : inner(wrapped, def.type === "nullable" ? "null" : "absent");
    }
  }
}

/** Schemas around one other schema, which has the say over a value that is there. */
const WRAPPERS = new Set(["optional", "nullable", "default", "prefault", "catch", "readonly", "nonoptional", "lazy"]);

export function isWrapper(
  schema: $ZodType,
): schema is $ZodType & { readonly _zod: { readonly def: { readonly innerType?: $ZodType }; readonly innerType?: $ZodType } } {
  return WRAPPERS.has(schema._zod.def.type);
}

/** The schema that a wrapper wraps. A lazy one remembers what its getter gave; the getter may give another schema each time. */
export function innerOf(schema: $ZodType): $ZodType | undefined {
  return isWrapper(schema) ? (schema._zod.def.innerType ?? schema._zod.innerType) : undefined;
}
