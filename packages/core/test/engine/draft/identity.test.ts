// A thing stays itself: a replay of the patches of an edit, one way or the other, finds every
// container that the edit kept moved there, and not another one in its place.

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../../tools/runs.ts";
import { recordingDrafts } from "../../../src/engine/draft/draft.ts";
import type { Freezing } from "../../../src/engine/draft/freeze.ts";
import { deepFreeze } from "../../../src/engine/freeze.ts";
import type { Patch } from "../../../src/patch/index.ts";
import { applied, isBox, plain, program, Run, state, type Program } from "./programs.ts";

const RUNS = runs(400);
const TIMEOUT = 20_000 + RUNS * 20;

/**
 * Which container of the base a container is; one of several, where those were equal when their
 * list was replaced. A container that came later is none.
 */
type Names = Map<object, object[]>;

/** A copy to be changed in place, and the name of each of its containers. */
function named(value: object, names: Names): object {
  const copy: object = Array.isArray(value) ? [] : {};
  for (const [key, part] of Object.entries(value)) Reflect.set(copy, key, isBox(part) ? named(part, names) : part);
  names.set(copy, [value]);
  return copy;
}

function isNamed(container: object, name: object, names: Names): boolean {
  return names.get(container)?.some((one) => one === name || isDeepStrictEqual(one, name)) === true;
}

function parentOf(root: object, pointer: string): [object, string] {
  const tokens = pointer.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = tokens.pop() as string;
  return [tokens.reduce((value, token) => Reflect.get(value, token) as object, root), key];
}

function take([parent, key]: [object, string]): unknown {
  if (Array.isArray(parent)) return parent.splice(Number(key), 1)[0];
  const value: unknown = Reflect.get(parent, key);
  Reflect.deleteProperty(parent, key);
  return value;
}

function put([parent, key]: [object, string], value: unknown): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 0, value);
  else Reflect.set(parent, key, value);
}

/** A list that a list replaces is itself, and its items are those that they equal. */
function rename(before: unknown, after: unknown, names: Names): void {
  if (!isBox(before) || !isBox(after)) return;
  if (!Array.isArray(before) || !Array.isArray(after)) return same(before, after, names);
  same(before, after, names, 0);
  for (const item of after) for (const one of before) same(one, item, names);
}

function same(before: unknown, after: unknown, names: Names, levels = Infinity): void {
  if (!isBox(before) || !isBox(after) || (levels > 0 && !isDeepStrictEqual(before, after))) return;
  names.set(after, [...(names.get(after) ?? []), ...(names.get(before) ?? [])]);
  if (levels > 0) for (const key of Object.keys(before)) same(Reflect.get(before, key), Reflect.get(after, key), names);
}

function replay(value: object, patch: Patch, names: Names): object {
  const root = { "": value };
  for (const operation of patch) {
    if (operation.op === "move") {
      const value = take(parentOf(root, operation.from));
      put(parentOf(root, operation.path), value);
    } else if (operation.op === "remove") take(parentOf(root, operation.path));
    else if (operation.op === "add") put(parentOf(root, operation.path), plain(operation.value));
    else if (operation.op === "replace") {
      const [parent, key] = parentOf(root, operation.path);
      const next: unknown = plain(operation.value);
      rename(Reflect.get(parent, key), next, names);
      Reflect.set(parent, key, next);
    } else throw new Error(operation.op);
  }
  return root[""];
}

/** Every container that the program kept is itself, in one of the places where it is. */
function expectKept(oracle: object, replayed: object, origin: ReadonlyMap<object, object>, names: Names): void {
  const kept = new Map<object, boolean>();
  const visit = (now: unknown, there: unknown): void => {
    if (!isBox(now) || !isBox(there)) return;
    const from = origin.get(now);
    if (from !== undefined) kept.set(now, kept.get(now) === true || isNamed(there, from, names));
    for (const key of Object.keys(now)) visit(Reflect.get(now, key), Reflect.get(there, key));
  };
  visit(oracle, replayed);
  for (const [now, isItself] of kept) expect(isItself, `lost: ${JSON.stringify(now)}`).toBe(true);
}

function check(given: object, steps: Program, freeze: Freezing): void {
  const names: Names = new Map();
  // Not the object of another run, which was frozen in another way.
  const base = deepFreeze(structuredClone(given), freeze);
  const oracle = structuredClone(base);
  const origin = new Map<object, object>();
  const pair = (copy: unknown, from: unknown): void => {
    if (!isBox(copy) || !isBox(from)) return;
    origin.set(copy, from);
    for (const key of Object.keys(copy)) pair(Reflect.get(copy, key), Reflect.get(from, key));
  };
  pair(oracle, base);
  const decisions = new Run(oracle, steps).run();
  const drafting = recordingDrafts.begin(base, { freeze });
  new Run(drafting.draft as object, steps, decisions).run();
  const { state: next, patches, inverse } = drafting.finish();

  expect(applied(base, patches)).toEqual(plain(oracle));
  expect(applied(next, inverse)).toEqual(base);
  const forth = replay(named(base, names), patches, names);
  expectKept(oracle, forth, origin, names);
  // And back: what was kept is itself again, and not another.
  const visit = (was: object, there: object): void => {
    if (names.has(there)) expect(isNamed(there, was, names), `another: ${JSON.stringify(was)}`).toBe(true);
    for (const key of Object.keys(was)) {
      const part: unknown = Reflect.get(was, key);
      if (isBox(part)) visit(part, Reflect.get(there, key) as object);
    }
  };
  visit(base, replay(forth, inverse, names));
}

const freezing = fc.constantFrom<Freezing>(true, false, "objects");

test("what a random program keeps is itself in the patches, both ways", { timeout: TIMEOUT }, () => {
  fc.assert(fc.property(state, program(2, 16), freezing, check), { numRuns: RUNS });
});

interface Card {
  id: number;
  done?: boolean;
}
interface Part {
  name: string;
  parts: Part[];
}
interface Board {
  todo: Card[];
  done: Card[];
  byId: Record<string, Card>;
  tree: Part[];
  a?: { x: Card };
  b?: { x: Card };
  archive?: { cards: Card[] };
}

const board = (): Board => ({
  todo: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
  done: [{ id: 5 }],
  byId: { k: { id: 9 } },
  tree: [{ name: "p", parts: [{ name: "q", parts: [{ name: "r", parts: [] }] }] }],
  a: { x: { id: 10 } },
  b: { x: { id: 11 } },
});
const card = (id: number): Card => ({ id });

const cases: [string, (draft: Board) => void, Patch, Patch][] = [
  [
    "three cards by filter and push",
    (d) => {
      const picked = d.todo.filter(({ id }) => id !== 2);
      d.todo = d.todo.filter(({ id }) => id === 2);
      d.done.push(...picked);
    },
    [
      { op: "move", from: "/todo/0", path: "/done/1" },
      { op: "move", from: "/todo/1", path: "/done/2" },
      { op: "move", from: "/todo/1", path: "/done/3" },
    ],
    [
      { op: "move", from: "/done/3", path: "/todo/1" },
      { op: "move", from: "/done/2", path: "/todo/1" },
      { op: "move", from: "/done/1", path: "/todo/0" },
    ],
  ],
  [
    "a card moved, then edited",
    (d) => {
      const [first] = d.todo.splice(0, 1);
      d.done.push(first!);
      first!.done = true;
    },
    [
      { op: "move", from: "/todo/0", path: "/done/1" },
      { op: "add", path: "/done/1/done", value: true },
    ],
    [
      { op: "remove", path: "/done/1/done" },
      { op: "move", from: "/done/1", path: "/todo/0" },
    ],
  ],
  [
    "a card edited, then moved, and another edited",
    (d) => {
      d.todo[3]!.done = true;
      d.todo[0]!.done = true;
      d.done.unshift(d.todo.shift()!);
    },
    [
      { op: "move", from: "/todo/0", path: "/done/0" },
      { op: "add", path: "/todo/2/done", value: true },
      { op: "add", path: "/done/0/done", value: true },
    ],
    [
      { op: "remove", path: "/done/0/done" },
      { op: "remove", path: "/todo/2/done" },
      { op: "move", from: "/done/0", path: "/todo/0" },
    ],
  ],
  [
    "two moves in one list, while others come and go",
    (d) => {
      d.todo.unshift(d.todo.pop()!);
      d.todo.splice(1, 0, card(8));
      d.todo.splice(d.todo.length - 1, 1);
      d.todo.push(d.todo.splice(2, 1)[0]!);
    },
    [
      { op: "move", from: "/todo/3", path: "/todo/0" },
      { op: "add", path: "/todo/1", value: card(8) },
      { op: "move", from: "/todo/2", path: "/todo/3" },
      { op: "remove", path: "/todo/4" },
    ],
    [
      { op: "add", path: "/todo/4", value: card(3) },
      { op: "move", from: "/todo/3", path: "/todo/2" },
      { op: "remove", path: "/todo/1" },
      { op: "move", from: "/todo/0", path: "/todo/3" },
    ],
  ],
  [
    "two items that change places",
    (d) => {
      [d.todo[0], d.todo[3]] = [d.todo[3]!, d.todo[0]!];
    },
    [
      { op: "move", from: "/todo/3", path: "/todo/0" },
      { op: "move", from: "/todo/1", path: "/todo/3" },
    ],
    [
      { op: "move", from: "/todo/3", path: "/todo/1" },
      { op: "move", from: "/todo/0", path: "/todo/3" },
    ],
  ],
  [
    "two keys that change places, by a spare one",
    (d) => {
      [d.a, d.b] = [d.b!, d.a!];
    },
    [
      { op: "move", from: "/a", path: "/_" },
      { op: "move", from: "/b", path: "/a" },
      { op: "move", from: "/_", path: "/b" },
    ],
    [
      { op: "move", from: "/b", path: "/_" },
      { op: "move", from: "/a", path: "/b" },
      { op: "move", from: "/_", path: "/a" },
    ],
  ],
  [
    "from a list that contains the other",
    (d) => {
      const outer = d.tree;
      const inner = outer[0]!.parts;
      outer.unshift(inner.pop()!);
    },
    [{ op: "move", from: "/tree/0/parts/0", path: "/tree/0" }],
    [
      { op: "move", from: "/tree/0", path: "/tree/1" },
      { op: "move", from: "/tree/1", path: "/tree/0/parts/0" },
    ],
  ],
  [
    "a part that changes places with the one that contains it",
    (d) => {
      const [outer] = d.tree.splice(0, 1);
      const [inner] = outer!.parts.splice(0, 1);
      inner!.parts.push(outer!);
      d.tree.push(inner!);
    },
    [
      { op: "move", from: "/tree/0/parts/0", path: "/tree/0" },
      { op: "move", from: "/tree/1", path: "/tree/0/parts/1" },
    ],
    [
      { op: "move", from: "/tree/0/parts/1", path: "/tree/1" },
      { op: "move", from: "/tree/0", path: "/tree/1" },
      { op: "move", from: "/tree/1", path: "/tree/0/parts/0" },
    ],
  ],
  [
    "out of a list, under a key",
    (d) => {
      const [first] = d.todo.splice(1, 1);
      first!.done = true;
      d.byId["2"] = first!;
    },
    [
      { op: "move", from: "/todo/1", path: "/byId/2" },
      { op: "add", path: "/byId/2/done", value: true },
    ],
    [
      { op: "remove", path: "/byId/2/done" },
      { op: "move", from: "/byId/2", path: "/todo/1" },
    ],
  ],
  [
    "and from a key into a list",
    (d) => {
      d.todo.splice(1, 0, d.byId["k"]!);
      delete d.byId["k"];
    },
    [{ op: "move", from: "/byId/k", path: "/todo/1" }],
    [{ op: "move", from: "/todo/1", path: "/byId/k" }],
  ],
  [
    "out of what is removed",
    (d) => {
      d.todo.push(d.a!.x);
      delete d.a;
    },
    [
      { op: "move", from: "/a/x", path: "/todo/4" },
      { op: "remove", path: "/a" },
    ],
    [
      { op: "add", path: "/a", value: {} },
      { op: "move", from: "/todo/4", path: "/a/x" },
    ],
  ],
  [
    "into what is new",
    (d) => {
      d.archive = { cards: d.todo.splice(0, 2) };
    },
    [
      { op: "add", path: "/archive", value: { cards: [] } },
      { op: "move", from: "/todo/0", path: "/archive/cards/0" },
      { op: "move", from: "/todo/0", path: "/archive/cards/1" },
    ],
    [
      { op: "move", from: "/archive/cards/1", path: "/todo/0" },
      { op: "move", from: "/archive/cards/0", path: "/todo/0" },
      { op: "remove", path: "/archive" },
    ],
  ],
  [
    "into a new item of a new list in its place",
    (d) => {
      d.done = [...d.done];
      d.done[0] = { id: 7, inside: [d.done[0]!] } as Card;
    },
    [
      { op: "add", path: "/done/0", value: { id: 7, inside: [] } },
      { op: "move", from: "/done/1", path: "/done/0/inside/0" },
    ],
    [
      { op: "move", from: "/done/0/inside/0", path: "/done/1" },
      { op: "remove", path: "/done/0" },
    ],
  ],
  [
    "an item moved in a list that filter then replaces",
    (d) => {
      d.todo.unshift(d.todo.pop()!);
      d.todo = d.todo.filter(({ id }) => id !== 2);
      d.todo.push(card(7));
    },
    [
      { op: "move", from: "/todo/3", path: "/todo/0" },
      { op: "add", path: "/todo/4", value: card(7) },
      { op: "remove", path: "/todo/2" },
    ],
    [
      { op: "add", path: "/todo/2", value: card(2) },
      { op: "remove", path: "/todo/4" },
      { op: "move", from: "/todo/0", path: "/todo/3" },
    ],
  ],
  [
    "a sort of items that were edited: they are edited first",
    (d) => {
      d.todo[0]!.done = true;
      d.todo.sort((x, y) => y.id - x.id);
    },
    [
      { op: "add", path: "/todo/0/done", value: true },
      { op: "replace", path: "/todo", value: [card(4), card(3), card(2), { id: 1, done: true }] },
    ],
    [
      { op: "replace", path: "/todo", value: [{ id: 1, done: true }, card(2), card(3), card(4)] },
      { op: "remove", path: "/todo/0/done" },
    ],
  ],
  [
    "a sort of what has come and gone: that moves before",
    (d) => {
      d.todo.push(d.done.pop()!);
      d.done.push(d.todo.shift()!);
      d.todo.sort((x, y) => y.id - x.id);
    },
    [
      { op: "move", from: "/done/0", path: "/todo/4" },
      { op: "move", from: "/todo/0", path: "/done/0" },
      { op: "replace", path: "/todo", value: [card(5), card(4), card(3), card(2)] },
    ],
    [
      { op: "replace", path: "/todo", value: [card(2), card(3), card(4), card(5)] },
      { op: "move", from: "/done/0", path: "/todo/0" },
      { op: "move", from: "/todo/4", path: "/done/0" },
    ],
  ],
];

describe.each(cases)("%s", (_, edit, patches, inverse) => {
  test.each([false, true])("frozen: %s", (freeze) => {
    const base = deepFreeze(board(), freeze);
    const drafting = recordingDrafts.begin(base, { freeze });
    edit(drafting.draft as Board);
    const edited = drafting.finish();
    expect(edited.patches).toEqual(patches);
    expect(edited.inverse).toEqual(inverse);
    expect(applied(base, edited.patches)).toEqual(edited.state);
    expect(applied(edited.state, edited.inverse)).toEqual(board());
  });
});

test("a list that moves with derived fields in it stays itself", () => {
  const base = {
    columns: [
      { cards: [{ id: 1 }], count: 1 },
      { cards: [{ id: 2 }], count: 1 },
    ],
  };
  const drafting = recordingDrafts.begin(base, { freeze: true });
  const { columns } = drafting.draft as typeof base;
  columns[1]!.cards.push(columns[0]!.cards.pop()!);
  columns.unshift(columns.pop()!);
  drafting.derive({
    container: ["columns", "*"],
    field: "count",
    compute: (column) => (column as (typeof base.columns)[0]).cards.length,
  });
  const edited = drafting.finish();
  expect(edited.patches).toEqual([
    { op: "move", from: "/columns/1", path: "/columns/0" },
    { op: "move", from: "/columns/1/cards/0", path: "/columns/0/cards/1" },
    { op: "replace", path: "/columns/0/count", value: 2 },
    { op: "replace", path: "/columns/1/count", value: 0 },
  ]);
  expect(applied(edited.state, edited.inverse)).toEqual(base);
});
