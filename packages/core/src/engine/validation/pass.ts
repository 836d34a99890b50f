// One pass over a value: where it stands, what it found, and when it has found enough. Shared by
// every node of a schema.

import type { $ZodType, ParseContextInternal } from "zod/v4/core";
import type { Touched } from "../draft/draft.ts";
import type { SchemaIssue } from "./issues.ts";

/**
 * After so many issues a pass stops: a rejection shows fewer, and an answer to 100,000 bad items
 * must not cost 100,000 messages.
 */
const ISSUE_LIMIT = 8;

export class Pass {
  /** The keys from the root to the value at hand. */
  readonly path: PropertyKey[];
  readonly issues: SchemaIssue[] = [];
  /** Zod keeps notes of one parse on this object, so every pass has its own. */
  readonly context: ParseContextInternal = { async: false };
  /** Keys that the schema would strip are issues: an operation wrote them. */
  readonly strict: boolean;

  constructor(strict: boolean, path: PropertyKey[] = []) {
    this.strict = strict;
    this.path = path;
  }

  get full(): boolean {
    return this.issues.length >= ISSUE_LIMIT;
  }

  /** Takes issues whose paths start at the value at hand. */
  report(issues: readonly SchemaIssue[]): void {
    for (const issue of issues) {
      if (this.full) return;
      this.issues.push({ ...issue, path: [...this.path, ...(issue.path ?? [])] });
    }
  }

  /** Takes one issue with the value at hand, which is given back as it is. */
  fail(issue: SchemaIssue): unknown {
    this.report([issue]);
    return issue.input;
  }

  /** Issues since `start`, with paths as zod has them at the value at hand. */
  since(start: number): SchemaIssue[] {
    return this.issues.slice(start).map((issue) => ({ ...issue, path: issue.path?.slice(this.path.length) ?? [] }));
  }

  /**
   * A pass of its own over the value at hand, for a branch that may fail without failing the whole.
   */
  fork(): Pass {
    return new Pass(false, [...this.path]);
  }
}

/**
 * What a schema node does: it reports what is wrong with `value` and returns what the schema makes
 * of it, `value` itself when that is equal. `prev` is a value that this node has accepted before,
 * or undefined when there is none: what `value` shares with it is not looked at again. `touched` is
 * the draft's record of how `value` came from `prev`; with it, a walk need not compare the two.
 */
export type Walk = (value: unknown, prev: unknown, pass: Pass, touched?: Touched) => unknown;

/** The node of a schema; made once for each schema. */
export type Compile = (schema: $ZodType) => Walk;

/** Walks one child of the value at hand. */
export function below(
  pass: Pass,
  key: PropertyKey,
  walk: Walk,
  value: unknown,
  prev: unknown,
  touched?: Touched,
): unknown {
  pass.path.push(key);
  const output = walk(value, prev, pass, touched);
  pass.path.pop();
  return output;
}
