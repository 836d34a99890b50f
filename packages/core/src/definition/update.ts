// What may be sent to a definition, as types. (`engine/resolve.ts` reads it as values.)

import type { ReadonlyDeep } from "../readonly-deep.ts";

/** A replacement of the whole value, spelled out. */
export interface Replace<Value> {
  readonly type: "$replace";
  readonly value: Value;
}

/** Several operations as one: all are applied, in order, or none is. One commit. */
export interface Batch<Operation> {
  readonly type: "$batch";
  readonly operations: readonly Operation[];
}

/** An operation, a batch, or a replacement, which may be readonly. */
export type Update<Operation, Replacement> =
  | Operation
  | WholeValue<Operation, Replacement>
  | Replace<ReadonlyDeep<Replacement>>
  | Batch<Operation>;

type WholeValue<Operation, Replacement> = Replacement extends unknown
  ? ReadonlyDeep<Replacement> & NotAnOperation<Operation, Replacement>
  : never;

/**
 * A value without the keys of operations that are not its own. Without this, TypeScript would
 * compare a mistyped operation with the replacement too, and let pass a key that either has.
 */
export type NotAnOperation<Operation, Value> = { readonly [Key in ForeignKey<Operation, Value>]?: never };

type ForeignKey<Operation, Value> =
  | Exclude<"type" | KeyOf<Operation>, keyof Value>
  // A record has every key, but what has a `type` is always an operation.
  | (string extends keyof Value ? "type" : never);
type KeyOf<Union> = Union extends unknown ? keyof Union : never;
