// Checks whether a value satisfies its schema: the whole value, or only what an edit touched. zod
// gives the verdict on each part; the walk over containers is ours.
//
// After `move` of card 7 from column 0 to column 2 only the marked nodes are visited:
//
//   state *                    path of an edit: its own checks run again
//     columns *
//       0 *  cards *           list without card 7: what is left was valid before
//       1                      same reference as before: not visited
//       2 *  cards *
//              7 **            new in this place: parsed as a whole
//              8               same reference as before: not visited
//
// The draft records this tree (`Touched`): * are its nodes, ** its `assigned` keys.
//
// Invariants (`test/engine/validation` compares with full parses of random schemas):
// 1. `touched(prev, next)` accepts exactly what `full(next)` accepts, except that it refuses keys
//    that the schema would strip.
// 2. The output parses to itself. It is the input, by reference, when that already does.
//    It is JSON: a list with an absent item is an issue.
// 3. The work stops after a few issues, however bad the value is.

import type { $ZodType } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import { absentItem } from "./absent-items.ts";
import type { SchemaIssue } from "./issues.ts";
import { compiler } from "./compile.ts";
import { type Frozen, Pass, type Walk } from "./pass.ts";

/**
 * The value that the schema gives: unknown keys stripped, defaults filled in, everything else
 * shared. Or the first issues, with paths from the root.
 */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

export interface Validator {
  /** The whole value. Throws what the schema's own functions throw. */
  full(value: unknown): Parsed;
  /**
   * Validates `next`, given `prev`, an earlier output of this validator. What both share by
   * reference is not checked again, even when it moved in its array. With `touched`, the complete
   * record of how `prev` became `next`, the rest is not even compared. A key that the schema would
   * strip is an issue. `value` is `next`, unless a default or a catch filled something in.
   */
  touched(prev: unknown, next: unknown, touched?: Touched): Parsed;
}

const ABSENT_ITEM = "a list cannot have an absent item: send a value for it";

/** `frozen` gives what checks see of the parts of a state, when an edit of it is validated. */
export function compileValidator(schema: $ZodType, frozen?: Frozen): Validator {
  let walk: Walk | undefined;
  const parse = (value: unknown, prev: unknown, pass: Pass, touched?: Touched): Parsed => {
    // Compiled with the first value: a schema may be completed after `defineState` got it.
    walk ??= compiler()(schema);
    const output = walk(value, prev, pass, touched);
    const absent = pass.issues.length > 0 ? undefined : absentItem(value, output);
    if (absent !== undefined) pass.report([{ code: "custom", path: absent, message: ABSENT_ITEM }]);
    return pass.issues.length > 0 ? { ok: false, issues: pass.issues } : { ok: true, value: output };
  };
  return {
    full: (value) => parse(value, undefined, new Pass(false)),
    touched: (prev, next, touched) =>
      prev === next ? { ok: true, value: next } : parse(next, prev, new Pass(true, frozen), touched),
  };
}
