// Recomputes the derived fields of a value that no draft made: a replacement, a state from
// elsewhere. (`draft/derive.ts` derives after the edits of an operation.)
//
// A container that is the same reference before and after was not touched and is skipped.

import { isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import type { DraftEngine, DraftOptions, Edited, FieldRule } from "./draft/draft.ts";

/**
 * A derived field: the containers that hold it, by a JSON Pointer with `*` for every item of an
 * array or value of a record.
 */
export interface DeriveRule extends FieldRule {
  readonly pointer: string;
}

/** A derived field whose value is not the recomputed one. */
interface Stale {
  readonly path: readonly (string | number)[];
  readonly field: string;
  readonly value: unknown;
}

/** A rule threw. Its own error is the cause: the text may hold secrets. */
export class Underivable extends Error {
  override readonly name = "Underivable";
  readonly pointer: string;

  constructor(pointer: string, cause: unknown) {
    super(`The derived field "${pointer}" could not be computed.`, { cause });
    this.pointer = pointer;
  }
}

/**
 * `edited` with its derived fields recomputed; the same object when none was stale. Throws an
 * `Underivable` when a rule throws.
 */
export function derive(
  rules: readonly DeriveRule[],
  drafts: DraftEngine,
  options: DraftOptions,
  base: object | undefined,
  edited: Edited,
): Edited {
  let result = edited;
  for (const rule of rules) {
    const stale: Stale[] = [];
    try {
      visit(readOnly(rule, options), base, result.state, 0, [], stale);
    } catch (error) {
      throw new Underivable(rule.pointer, error);
    }
    if (stale.length > 0) result = write(drafts, options, result, stale);
  }
  return result;
}

/** The rule with read-only access to the state. */
function readOnly(rule: DeriveRule, { frozen }: DraftOptions): DeriveRule {
  return frozen === undefined
    ? rule
    : { ...rule, compute: (container) => rule.compute(frozen.writableCopy(container as object)) };
}

function visit(
  rule: DeriveRule,
  before: unknown,
  after: unknown,
  depth: number,
  path: readonly (string | number)[],
  stale: Stale[],
): void {
  if (before === after || !isContainer(after)) return;
  const token = rule.container[depth];
  if (token === undefined) {
    const value = rule.compute(after);
    if (!equal(value, after[rule.field], Infinity)) stale.push({ path, field: rule.field, value });
    return;
  }
  const old = isContainer(before) ? before : undefined;
  if (token !== "*") {
    if (Object.hasOwn(after, token)) visit(rule, old?.[token], after[token], depth + 1, [...path, token], stale);
    return;
  }
  if (!Array.isArray(after)) {
    for (const key of Object.keys(after)) visit(rule, old?.[key], after[key], depth + 1, [...path, key], stale);
    return;
  }
  const items: readonly unknown[] = Array.isArray(old) ? old : [];
  let start = 0;
  while (start < after.length && start < items.length && after[start] === items[start]) start++;
  // Mostly few items differ: only those between the equal ends are looked up.
  let end = after.length;
  const shift = items.length - after.length;
  while (end > start && end + shift > start && after[end - 1] === items[end - 1 + shift]) end--;
  const known = new Set(items.slice(start, end + shift));
  for (let index = start; index < end; index++) {
    const item: unknown = after[index];
    if (!known.has(item)) visit(rule, old?.[index], item, depth + 1, [...path, index], stale);
  }
}

function write(drafts: DraftEngine, options: DraftOptions, edited: Edited, stale: readonly Stale[]): Edited {
  const drafting = drafts.begin(edited.state, options);
  for (const { path, field, value } of stale) {
    let container: unknown = drafting.draft;
    for (const token of path) container = isContainer(container) ? container[token] : undefined;
    if (isContainer(container)) container[field] = value;
  }
  const next = drafting.finish();
  return {
    state: next.state,
    patches: [...edited.patches, ...next.patches],
    inverse: [...next.inverse, ...edited.inverse],
    touched: undefined,
  };
}
