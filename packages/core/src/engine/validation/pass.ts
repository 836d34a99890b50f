// One pass over a value: the issues so far, and the limit of issues. Shared by every node of a
// schema.
//
// Paths are made where there are issues: each level adds its key to those from below.

import type { $ZodType, ParseContextInternal } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import type { SchemaIssue } from "./issues.ts";

/** Gives what an author's check sees of a container that it must not write to. */
export interface Frozen {
  view(container: object): object;
}

/** A pass stops after this many issues. A rejection shows fewer. */
const ISSUE_LIMIT = 8;

export class Pass {
  /** Those of the current value have paths from there, as in zod. */
  readonly issues: SchemaIssue[] = [];
  /** zod writes to this object during a parse, so every pass has its own. */
  readonly context: ParseContextInternal = { async: false };
  /** Keys that the schema would strip are issues: an operation wrote them. */
  readonly strict: boolean;
  readonly frozen: Frozen | undefined;

  constructor(strict: boolean, frozen?: Frozen) {
    this.strict = strict;
    this.frozen = frozen;
  }

  get full(): boolean {
    return this.issues.length >= ISSUE_LIMIT;
  }

  /** Adds issues whose paths start at the current value. */
  report(issues: readonly SchemaIssue[]): void {
    for (const issue of issues) {
      if (this.full) return;
      this.issues.push({ ...issue, path: [...(issue.path ?? [])] });
    }
  }

  /** Adds one issue of the current value, and returns the value as it is. */
  fail(issue: SchemaIssue): unknown {
    this.report([issue]);
    return issue.input;
  }

  /** Issues since `start`, for others to keep and change. */
  since(start: number): SchemaIssue[] {
    return this.issues.slice(start).map((issue) => ({ ...issue, path: [...(issue.path ?? [])] }));
  }

  /** The issues since `start` are those of the child at a key. */
  atChild(key: PropertyKey, start: number): void {
    for (let i = start; i < this.issues.length; i++) {
      const issue = this.issues[i] as SchemaIssue;
      this.issues[i] = { ...issue, path: [key, ...(issue.path ?? [])] };
    }
  }

  /** For a branch that may fail without failing the whole. */
  fork(): Pass {
    return new Pass(false, this.frozen);
  }
}

/**
 * What a schema node does. It reports the issues of `value` and returns the output of the schema,
 * `value` itself when that is equal. `prev` is a value that this node accepted before, or
 * undefined: what `value` shares with it is not checked again. `touched` is the draft's record of
 * how `prev` became `value`: with it, the two are not compared.
 */
export type Walk = (value: unknown, prev: unknown, pass: Pass, touched?: Touched) => unknown;

/** The node of a schema; made once for each schema. */
export type Compile = (schema: $ZodType) => Walk;

/** Walks one child of the current value. */
export function below(
  pass: Pass,
  key: PropertyKey,
  walk: Walk,
  value: unknown,
  prev: unknown,
  touched?: Touched,
): unknown {
  const { length } = pass.issues;
  const output = walk(value, prev, pass, touched);
  if (pass.issues.length > length) pass.atChild(key, length);
  return output;
}
