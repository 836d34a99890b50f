// Finds its way in a zod schema: what stands at a derive pointer, and the same schema with that field optional.

import { $ZodOptional, clone, type $ZodType, type $ZodTypes } from "zod/v4/core";

/** Every schema of zod's own; a union on `def.type`, so that the cases below narrow. */
function known(schema: $ZodType): $ZodTypes {
  // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
  return schema as $ZodTypes;
}

/** The schemas one step below: by a key, or by `*` for the items of an array or the values of a record. Empty when there is no such step. */
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
    case "lazy":
      return childrenAt(def.getter(), token);
    case "optional":
    case "nullable":
    case "readonly":
    case "default":
    case "prefault":
    case "catch":
    case "nonoptional":
      return childrenAt(def.innerType, token);
    default:
      return [];
  }
}

/** `schema` with the field at `path` optional. The checks of what holds it are left out: they may read the field, and run later with it. */
export function loosen(schema: $ZodType, path: readonly string[]): $ZodType {
  const [token, ...rest] = path;
  if (token === undefined) return new $ZodOptional({ type: "optional", innerType: schema });
  const type = known(schema);
  const { def } = type._zod;
  switch (def.type) {
    case "object": {
      const child = def.shape[token];
      return child === undefined ? schema : clone(type, { ...def, shape: { ...def.shape, [token]: loosen(child, rest) }, checks: [] });
    }
    case "array":
      return clone(type, { ...def, element: loosen(def.element, rest), checks: [] });
    case "record":
      return clone(type, { ...def, valueType: loosen(def.valueType, rest), checks: [] });
    case "tuple":
      return clone(type, {
        ...def,
        items: def.items.map((item, index) => (token === "*" || Number(token) === index ? loosen(item, rest) : item)),
        checks: [],
      });
    case "union":
      return clone(type, {
        ...def,
        options: def.options.map((option) => (childrenAt(option, token).length > 0 ? loosen(option, path) : option)),
      });
    case "lazy":
      return loosen(def.getter(), path);
    case "optional":
    case "nullable":
    case "readonly":
    case "default":
    case "prefault":
    case "catch":
    case "nonoptional":
      return clone(type, { ...def, innerType: loosen(def.innerType, path) });
    default:
      return schema;
  }
}
