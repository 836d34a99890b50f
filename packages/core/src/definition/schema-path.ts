// Paths in a zod schema: the schemas at a derive pointer, and a copy of the schema with that field
// optional.

import { $ZodOptional, clone, type $ZodType, type $ZodTypes } from "zod/v4/core";
import { innerOf } from "../engine/validation/kinds.ts";

/** The schema as the union of zod's own, which narrows by `def.type`. */
function known(schema: $ZodType): $ZodTypes {
  // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
  return schema as $ZodTypes;
}

/**
 * The schemas one step below: by a key, or by `*` for the items of an array or the values of a
 * record. Empty when there is no such step.
 */
export function childrenAt(schema: $ZodType, token: string): readonly $ZodType[] {
  const { def } = known(schema)._zod;
  switch (def.type) {
    case "object": {
      const child = def.shape[token];
      return child === undefined ? [] : [child];
    }
    case "array":
      return token === "*" ? [def.element] : [];
    case "record":
      return [def.valueType];
    case "tuple":
      return token === "*"
        ? [...def.items, ...(def.rest ? [def.rest] : [])]
        : [def.items[Number(token)] ?? def.rest].filter((item) => item != null);
    case "union":
      return def.options.flatMap((option) => childrenAt(option, token));
    default: {
      const inner = innerOf(schema);
      return inner === undefined ? [] : childrenAt(inner, token);
    }
  }
}

/**
 * `schema` with the field at `path` optional, or `schema` itself without such a field. The checks
 * of the containers around it are left out: they may read the field, and run once it is derived.
 */
export function loosen(schema: $ZodType, path: readonly string[]): $ZodType {
  const [token, ...rest] = path;
  if (token === undefined) return new $ZodOptional({ type: "optional", innerType: schema });
  const inner = innerOf(schema);
  const type = known(schema);
  const { def } = type._zod;
  if (inner !== undefined) {
    const loose = loosen(inner, path);
    return loose === inner || def.type === "lazy" ? loose : clone(type, { ...def, innerType: loose } as typeof def);
  }
  switch (def.type) {
    case "object": {
      const child = def.shape[token];
      return child === undefined
        ? schema
        : clone(type, { ...def, shape: { ...def.shape, [token]: loosen(child, rest) }, checks: [] });
    }
    case "array":
      return token === "*" ? clone(type, { ...def, element: loosen(def.element, rest), checks: [] }) : schema;
    case "record":
      return clone(type, { ...def, valueType: loosen(def.valueType, rest), checks: [] });
    case "tuple":
      return clone(type, {
        ...def,
        items: def.items.map((item, index) => (token === "*" || Number(token) === index ? loosen(item, rest) : item)),
        checks: [],
      });
    case "union":
      return clone(type, { ...def, options: def.options.map((option) => loosen(option, path)) });
    default:
      return schema;
  }
}
