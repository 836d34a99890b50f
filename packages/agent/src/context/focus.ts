// Which parts of a state an outline shows first: those that JSON Pointers name, as a tree.
//
//   /columns/0/cards/7/title     columns -> 0 -> cards -> 7 (whole: the item that it is in)
//
// A pointer stands for the item that it lies in, because a card's title says little without the
// card's id. Where that item is large, it stands for the value that it names.

import { parsePointer } from "@opstate/core/json-patch";

export interface Focus {
  /** The place of its pointer in the list: 0 is the most important. */
  readonly rank: number;
  /** Show all of it, if there is room. */
  whole: boolean;
  readonly children: Map<string, Focus>;
}

/**
 * The tree of the pointers that lead somewhere in `state`. A value whose size is more than `most`
 * is not shown whole.
 */
export function focusOf(
  state: unknown,
  pointers: readonly string[],
  sizeOf: (value: unknown) => number,
  most: number,
): Focus {
  const root: Focus = { rank: 0, whole: false, children: new Map() };
  for (const [rank, pointer] of pointers.entries()) {
    const steps = stepsTo(state, pointer);
    const item = steps.findLastIndex(({ isItem, value }) => isItem && sizeOf(value) <= most);
    const isSmall = steps.length > 0 && sizeOf(steps.at(-1)?.value) <= most;
    const end = item !== -1 ? item : isSmall ? steps.length - 1 : undefined;
    let focus = root;
    for (const { key } of steps.slice(0, end === undefined ? steps.length : end + 1)) {
      const child: Focus = focus.children.get(key) ?? { rank, whole: false, children: new Map() };
      focus.children.set(key, child);
      focus = child;
    }
    if (end !== undefined) focus.whole = true;
  }
  return root;
}

interface Step {
  readonly key: string;
  readonly value: unknown;
  /** Whether it is an item of a list. */
  readonly isItem: boolean;
}

/** The way to a value; empty when there is none, or when it is the whole state. */
function stepsTo(state: unknown, pointer: string): readonly Step[] {
  const steps: Step[] = [];
  let value = state;
  for (const key of parsePointer(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return [];
    const isItem = Array.isArray(value);
    value = (value as Readonly<Record<string, unknown>>)[key];
    steps.push({ key, value, isItem });
  }
  return steps;
}
