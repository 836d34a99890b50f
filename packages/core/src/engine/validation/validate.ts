// Does a value satisfy its schema: the whole value, or only what an edit touched. The verdict is
// zod's; the walk over containers is ours.
//
// What holds (`test/validate` tries it against full parses of random schemas):
// 1. `touched(prev, next)` accepts exactly what `full(next)` accepts, but for keys that the schema
//    would strip: there they are refused.
// 2. The value that comes out parses to itself; it is the value that came in, by reference,
//    whenever that is already so.
// 3. Work stops after a few issues, however bad the value is.

import type { $ZodType } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import type { SchemaIssue } from "./issues.ts";
import { compiler } from "./compile.ts";
import { Pass, type Walk } from "./pass.ts";

/**
 * What a schema makes of a value: unknown keys stripped, defaults filled in, everything else
 * shared. Or the first issues, paths from the root.
 */
export type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

export interface Validator {
  /** The whole value. Throws what the schema's own functions throw. */
  full(value: unknown): Parsed;
  /**
   * `next`, given `prev`: a value that came out of this validator. What both share by reference is
   * not looked at again, wherever in its array it stands now; with the draft's record of how `prev`
   * became `next` (of the whole way, or none) the rest is not even compared. A key that the schema
   * would strip is an issue. `value` is `next` unless a default or a catch filled something in.
   */
  touched(prev: unknown, next: unknown, touched?: Touched): Parsed;
}

export function compileValidator(schema: $ZodType): Validator {
  let walk: Walk | undefined;
  const parse = (value: unknown, prev: unknown, pass: Pass, touched?: Touched): Parsed => {
    // Compiled with the first value: a schema may be completed after it was handed to a definition.
    walk ??= compiler()(schema);
    const output = walk(value, prev, pass, touched);
    return pass.issues.length > 0 ? { ok: false, issues: pass.issues } : { ok: true, value: output };
  };
  return {
    full: (value) => parse(value, undefined, new Pass(false)),
    touched: (prev, next, touched) =>
      prev === next ? { ok: true, value: next } : parse(next, prev, new Pass(true), touched),
  };
}
