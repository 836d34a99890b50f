// The type of a value that its holder may only read.

type Atom = string | number | boolean | bigint | symbol | null | undefined | ((...parameters: never[]) => unknown);

/**
 * `Value` with every object, array, tuple and record in it readonly: what readers of a state hold.
 * A mutable value is assignable to it, so it may be passed wherever a state is accepted. `unknown`
 * and branded primitives stay as they are.
 *
 * @example
 * ```ts
 * import type { ReadonlyDeep } from "@opstate/core";
 *
 * interface List {
 *   items: { title: string }[];
 * }
 *
 * function titles(list: ReadonlyDeep<List>) {
 *   return list.items.map((item) => item.title);
 * }
 *
 * titles({ items: [{ title: "Launch" }] }); // ["Launch"]
 * ```
 */
export type ReadonlyDeep<Value> = Value extends Atom
  ? Value
  : Value extends readonly (infer Item)[]
    ? Item[] extends Value
      ? // Not as a mapped type: that would not end for `type Json = string | Json[]`.
        readonly ReadonlyDeep<Item>[]
      : { readonly [Index in keyof Value]: ReadonlyDeep<Value[Index]> }
    : Value extends object
      ? { readonly [Key in keyof Value]: ReadonlyDeep<Value[Key]> }
      : Value;
