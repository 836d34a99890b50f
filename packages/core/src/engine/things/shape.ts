// What a schema says about containers: whether a key of an object is a record's (its value is a
// thing, known by the key) or a fixed one (its value belongs to the owner), and which arrays are
// tuples (one value, not a list of things).
//
// Where a union leaves it open, a key that some object of the union has is a fixed one.

import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { innerOf } from "../validation/kinds.ts";

export interface Below {
  readonly shape: Shape;
  /** Whether the value is a record's: a thing of its own. */
  readonly record: boolean;
}

export class Shape {
  readonly #schemas: readonly $ZodType[];
  /** Of the keys that an object schema names. */
  readonly #fixed = new Map<string, Below>();
  /** Of all other keys: senders choose them, so they are not held one by one. */
  #open: Below | undefined;
  #items: Shape | undefined;
  #found: readonly $ZodTypes[] | undefined;
  #isTuple: boolean | undefined;

  constructor(schemas: readonly $ZodType[]) {
    this.#schemas = schemas;
  }

  /** What stands under a key of an object. */
  key(key: string): Below {
    const found = this.#fixed.get(key) ?? this.#field(key);
    return found ?? (this.#open ??= this.#others());
  }

  /** What stands in a list. */
  items(): Shape {
    this.#items ??= new Shape(
      this.#alternatives().flatMap((schema) => (schema._zod.def.type === "array" ? [schema._zod.def.element] : [])),
    );
    return this.#items;
  }

  /** Whether arrays here have fixed places. */
  get isTuple(): boolean {
    this.#isTuple ??= this.#alternatives().some((schema) => schema._zod.def.type === "tuple");
    return this.#isTuple;
  }

  #field(key: string): Below | undefined {
    const fields = this.#alternatives().flatMap(({ _zod: { def } }) => {
      const field = def.type === "object" && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
      return field === undefined ? [] : [field];
    });
    if (fields.length === 0) return undefined;
    const below = { shape: new Shape(fields), record: false };
    this.#fixed.set(key, below);
    return below;
  }

  #others(): Below {
    const open = this.#alternatives().flatMap(({ _zod: { def } }) => {
      if (def.type === "record") return [def.valueType];
      return def.type === "object" && def.catchall !== undefined ? [def.catchall] : [];
    });
    return { shape: new Shape(open), record: open.length > 0 };
  }

  /** The schemas without what is wrapped around them. */
  #alternatives(): readonly $ZodTypes[] {
    return (this.#found ??= this.#unwrapped());
  }

  #unwrapped(): readonly $ZodTypes[] {
    const found: $ZodTypes[] = [];
    const seen = new Set<$ZodType>();
    const visit = (schema: $ZodType): void => {
      if (seen.has(schema)) return;
      seen.add(schema);
      const inner = innerOf(schema);
      if (inner !== undefined) return visit(inner);
      // zod types a schema by its output; `_zod.def.type` is what tells the kinds apart.
      const typed = schema as $ZodTypes;
      const { def } = typed._zod;
      if (def.type === "union") for (const option of def.options) visit(option);
      else if (def.type === "intersection") for (const side of [def.left, def.right]) visit(side);
      else if (def.type === "pipe") visit(def.out);
      else found.push(typed);
    };
    for (const schema of this.#schemas) visit(schema);
    return found;
  }
}

const shapes = new WeakMap<$ZodType, Shape>();

/** One shape for each schema: it caches what it found out. */
export function shapeOf(schema: $ZodType): Shape {
  let shape = shapes.get(schema);
  if (shape === undefined) shapes.set(schema, (shape = new Shape([schema])));
  return shape;
}
