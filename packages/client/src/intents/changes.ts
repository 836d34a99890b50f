// What differs between the state below an intent and the one with it, by the identity of what both
// share. What removes or replaces something is no list of changes.
//
//   add       a value that is new: a card, a member
//   change    a text, number or the like that has another value
//   move      a container that stood elsewhere

import { idKeyOf, isContainer, isRecord } from "@opstate/core/json";
import { formatPointer } from "@opstate/core/json-patch";

/** `value`: as the intent's view has it, at `pointer`. */
export interface IntentChange {
  readonly what: "add" | "change" | "move";
  readonly pointer: string;
  readonly value: unknown;
}

export interface Change extends Pick<IntentChange, "what" | "value"> {
  readonly tokens: readonly string[];
}

/** Undefined: something is removed, or an object is replaced by another one. */
export function changesBetween(before: unknown, after: unknown): readonly Change[] | undefined {
  const comparison = new Comparison();
  comparison.compare(before, after, []);
  return comparison.result();
}

export const shownChange = ({ tokens, what, value }: Change): IntentChange => ({
  what,
  pointer: formatPointer(tokens),
  value,
});

class Comparison {
  readonly #changes: Change[] = [];
  /** The containers that are not where they were. */
  readonly #gone = new Set<unknown>();
  readonly #came: Change[] = [];
  #removes = false;

  result(): readonly Change[] | undefined {
    const came = this.#came.map((change): Change => {
      const moved = isContainer(change.value) && this.#gone.delete(change.value);
      return moved ? { ...change, what: "move" } : change;
    });
    return this.#removes || this.#gone.size > 0 ? undefined : [...this.#changes, ...came];
  }

  compare(before: unknown, after: unknown, tokens: readonly string[]): void {
    if (Object.is(before, after)) return;
    if (Array.isArray(before) && Array.isArray(after)) return this.#compareLists(before, after, tokens);
    if (isRecord(before) && isRecord(after) && isSameThing(before, after))
      return this.#compareRecords(before, after, tokens);
    if (!isContainer(before) && !isContainer(after)) {
      this.#changes.push({ what: "change", tokens, value: after });
      return;
    }
    // Where there was nothing, nothing is replaced.
    if (before !== null) this.#noteRemoved(before);
    this.#noteAdded(after, tokens);
  }

  #compareRecords(
    before: Readonly<Record<string, unknown>>,
    after: Readonly<Record<string, unknown>>,
    tokens: readonly string[],
  ): void {
    for (const [key, value] of Object.entries(before)) {
      if (value === undefined) continue;
      if (Object.hasOwn(after, key) && after[key] !== undefined) this.compare(value, after[key], [...tokens, key]);
      else this.#noteRemoved(value);
    }
    for (const [key, value] of Object.entries(after))
      if (value !== undefined && (!Object.hasOwn(before, key) || before[key] === undefined))
        this.#noteAdded(value, [...tokens, key]);
  }

  #compareLists(before: readonly unknown[], after: readonly unknown[], tokens: readonly string[]): void {
    let start = 0;
    while (start < before.length && start < after.length && Object.is(before[start], after[start])) start++;
    let [endBefore, endAfter] = [before.length, after.length];
    while (endBefore > start && endAfter > start && Object.is(before[endBefore - 1], after[endAfter - 1])) {
      endBefore--;
      endAfter--;
    }
    const [olds, news] = [before.slice(start, endBefore), after.slice(start, endAfter)];
    const [wasThere, isThere] = [new Set(olds), new Set(news)];
    const gone = olds.filter((item) => !isThere.has(item));
    const came = news.flatMap((item, index) =>
      wasThere.has(item) ? [] : [{ item, tokens: [...tokens, String(start + index)] }],
    );
    // Two equal texts are one item of a set.
    if (olds.length - gone.length !== news.length - came.length) this.#removes = true;
    const areEdits = gone.length === came.length && gone.every((item, index) => isSameThing(item, came[index]?.item));
    for (const item of areEdits ? [] : gone) this.#noteRemoved(item);
    for (const [index, { item, tokens: at }] of came.entries())
      if (areEdits) this.compare(gone[index], item, at);
      else this.#noteAdded(item, at);
    const [were, kept] = [olds.filter((item) => isThere.has(item)), news.filter((item) => wasThere.has(item))];
    const moved = new Set(movedItems(were, kept));
    for (const [index, item] of news.entries())
      if (moved.has(item))
        this.#changes.push({ what: "move", tokens: [...tokens, String(start + index)], value: item });
  }

  #noteRemoved(value: unknown): void {
    if (isContainer(value)) this.#gone.add(value);
    else this.#removes = true;
  }

  #noteAdded(value: unknown, tokens: readonly string[]): void {
    this.#came.push({ what: "add", tokens, value });
  }
}

/** Whether one may have become the other: what has another id is another object. */
function isSameThing(before: unknown, after: unknown): boolean {
  if (!isRecord(before) || !isRecord(after)) return Array.isArray(before) && Array.isArray(after);
  const key = idKeyOf(before) ?? idKeyOf(after);
  return key === undefined || before[key] === after[key];
}

/** The one item that moved, or all that are elsewhere. */
function movedItems(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const elsewhere = after.filter((item, index) => !Object.is(item, before[index]));
  if (elsewhere.length === 0) return elsewhere;
  if (Object.is(before[0], after.at(-1))) return [before[0]];
  return Object.is(before.at(-1), after[0]) ? [after[0]] : elsewhere;
}
