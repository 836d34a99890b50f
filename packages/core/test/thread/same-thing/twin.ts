// The oracle's own run of an operation: the same code on a plain copy, where an object is itself.
//
// The tags of rows live outside the state, by object: a copy keeps them, a move of the object too.

import { countOf, EDITIONS, type Input, isValid, type OperationName, type State } from "./board.ts";
import type { RowKey } from "./things.ts";

export interface PlainOperation extends Input {
  readonly type: string;
}

const tags = new WeakMap<object, string>();
export const rowKey: RowKey = (row) => tags.get(row);

let fresh = 0;

function clone<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(clone) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clone(item)])) as T;
}

/** A deep copy whose rows have the tags of the original ones; rows without one get a new one. */
export function copyState(state: State): State {
  const copy = clone(state);
  copy.rows.forEach((row, index) => {
    const original = state.rows[index];
    const tag = original && tags.get(original);
    tags.set(row, tag ?? `row ${(fresh += 1)}`);
  });
  return copy;
}

/** Copies the tags of rows from one state to another one with the same rows. */
export function copyTags(from: State, to: State): void {
  to.rows.forEach((row, index) => {
    const original = from.rows[index];
    const tag = original && tags.get(original);
    if (tag !== undefined) tags.set(row, tag);
  });
}

/** What an operation's first run made: the ids by the mark of what bears them, and its time. */
export interface Learned {
  readonly ids: ReadonlyMap<string, string>;
  readonly times: ReadonlyMap<string, string>;
}

/** The parts of a batch, or the operation alone. Undefined when it is no operation of the board. */
export function partsOf(operation: unknown): readonly PlainOperation[] | undefined {
  const { type, operations } = operation as { type?: string; operations?: readonly PlainOperation[] };
  if (type === "$batch") return operations;
  return type === undefined || type.startsWith("$") ? undefined : [operation as PlainOperation];
}

/** The state after the operation, or undefined when the code refuses it. */
export function runTwin(edition: number, state: State, operation: unknown, learned: Learned): State | undefined {
  const parts = partsOf(operation);
  const code = EDITIONS[edition];
  if (!parts || !code) return undefined;
  const next = copyState(state);
  for (const part of parts) {
    const apply = code.operations[part.type as OperationName];
    if (!apply || part.n > code.most) return undefined;
    let refused = false;
    let taken = 0;
    const marks = part.type === "addTwo" ? [`${part.word}a`, `${part.word}b`] : [part.word];
    apply(next, part, {
      id: () => learned.ids.get(marks[taken++] ?? "") ?? "?",
      // Of two cards, a later part may have removed one before anyone saw it.
      now: marks.map((mark) => learned.times.get(mark)).find((time) => time !== undefined) ?? "?",
      reject: () => void (refused = true),
    });
    if (refused) return undefined;
    next.count = countOf(next);
    for (const row of next.rows) if (!tags.has(row)) tags.set(row, `row ${part.word}`);
  }
  return isValid(next) ? next : undefined;
}
