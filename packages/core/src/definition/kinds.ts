// Which kinds of JSON value a schema can accept, through unions, pipes and intersections. For the
// check of definitions.

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { innerOf, kindOf, ONE, type Kind } from "../engine/validation/kinds.ts";

/** Undefined: a value that is not JSON. */
export type Kinds = ReadonlySet<Kind | undefined>;

const ALL: Kinds = new Set<Kind>(["string", "number", "boolean", "null", "array", "object", "absent"]);

/**
 * The kinds that `schema` may accept: never too few, possibly too many. `open`: the enclosing
 * schemas, so that recursion ends.
 */
export function kindsOf(schema: $ZodType, open: readonly $ZodType[] = []): Kinds {
  const inner = (child: $ZodType): Kinds => kindsOf(child, [...open, schema]);
  // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
  const { def } = (schema as $ZodTypes)._zod;
  if (open.includes(schema) || def.type === "catch" || ("coerce" in def && def.coerce)) return ALL;
  const one = ONE[def.type];
  if (one !== undefined) return new Set([one]);
  switch (def.type) {
    case "enum":
    case "literal":
      return new Set([...(schema._zod.values ?? [])].map(kindOf));
    case "never":
      return new Set();
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
      return wrapped === undefined ? ALL : new Set([...inner(wrapped), def.type === "nullable" ? "null" : "absent"]);
    }
  }
}
