// Finds ids that an operation computes from the state, such as the highest number plus one.
//
//                       on one state             in a row
//   id() gives          T-aaa   T-bbb            T-aaa   T-ccc       another submission, another id
//   max + 1 gives       T-5     T-5              T-5     T-6         the state decides
//   the input gives     T-9     T-9              T-9     T-9
//
// A text that is copied from the state, and a derived field, also follow the state: they are no ids
// of what was born.

import { isContainer } from "../../json/container.ts";
import { formatPointer, parsePointer, type Patch } from "../../patch/index.ts";

/** One run of an operation: the state it ran on, and what it changed. */
export interface Run {
  readonly state: unknown;
  readonly patches: Patch;
}

/** A text or number of something that an operation put into a list or under a new key. */
interface Born {
  /** Where, with `*` for the place in a list. */
  readonly at: string;
  readonly name: string;
  readonly value: string | number;
}

export interface ComputedId {
  readonly at: string;
  readonly first: string | number;
  readonly next: string | number;
}

/**
 * The first id that is computed from the state. `one` and `two` ran on one state as two
 * submissions; `next` ran on the result of `one`, as a third.
 */
export function findComputedId(
  one: Run,
  two: Run,
  next: Run,
  isDerived: (path: readonly string[]) => boolean,
): ComputedId | undefined {
  const [first, second, third] = [bornIn(one, isDerived), bornIn(two, isDerived), bornIn(next, isDerived)];
  if (first.length !== second.length || first.length !== third.length) return undefined;
  const [before, after] = [textsIn(one.state), textsIn(next.state)];
  for (const [index, { at, name, value }] of first.entries()) {
    const [again, later] = [second[index], third[index]];
    if (again?.at !== at || later?.at !== at || !mayBeId(name, value)) continue;
    if (value !== again.value || value === later.value || typeof value !== typeof later.value) continue;
    if (!before.has(value) && !after.has(later.value)) return { at, first: value, next: later.value };
  }
  return undefined;
}

/** Whether it put something under a key that the state did not have. */
export function addsMember({ state, patches }: Run): boolean {
  return patches.some(
    ({ op, path }) => op === "add" && !Array.isArray(valueAt(state, parsePointer(path).slice(0, -1))),
  );
}

/** A text without spaces, or a number under a name that says so. */
function mayBeId(name: string, value: string | number): boolean {
  return typeof value === "string" ? /^\S{1,64}$/.test(value) : /id$|^(?:nr|no|number)$/i.test(name);
}

function bornIn({ state, patches }: Run, isDerived: (path: readonly string[]) => boolean): readonly Born[] {
  const born: Born[] = [];
  for (const step of patches) {
    if (step.op !== "add") continue;
    const tokens = parsePointer(step.path);
    const [key = ""] = tokens.slice(-1);
    const isItem = Array.isArray(valueAt(state, tokens.slice(0, -1)));
    const place = [...tokens.slice(0, -1), isItem ? "*" : key];
    if (isDerived(tokens)) continue;
    // The key of a new member is what it is known by. A list's place is not.
    if (!isItem) born.push({ at: formatPointer([...tokens.slice(0, -1), "*"]), name: "id", value: key });
    if (isItem || isContainer(step.value)) collect(step.value, isItem ? place : [...tokens.slice(0, -1), "*"], "id");
  }
  return born;

  function collect(value: unknown, path: readonly string[], name: string): void {
    if (isDerived(path)) return;
    if (typeof value === "string" || typeof value === "number") born.push({ at: formatPointer(path), name, value });
    if (!isContainer(value)) return;
    for (const [key, part] of Object.entries(value))
      collect(part, [...path, Array.isArray(value) ? "*" : key], Array.isArray(value) ? name : key);
  }
}

function textsIn(state: unknown): ReadonlySet<unknown> {
  const texts = new Set<unknown>();
  const add = (value: unknown): void => {
    if (typeof value === "string") texts.add(value);
    if (!isContainer(value)) return;
    for (const [key, part] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.add(key);
      add(part);
    }
  };
  add(state);
  return texts;
}

function valueAt(value: unknown, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((part, token) => (isContainer(part) ? Reflect.get(part, token) : undefined), value);
}
