// Which things a state contains, and what a change did to them: by their marks, never by place.
//
// - a card, a part of a card, a bill: its mark `born`
// - a worker, a note: its name (a record's value is known by its key)
// - a tag: its value (a primitive item is its value)
// - the root: itself
// - a row: only what the caller knows of it (`rowKey`); without that, rows are left out

import type { State } from "./board.ts";

export type Value = string | number;

export interface Thing {
  /** The list that it is in, such as "todo" or "parts of w7". */
  readonly list: string;
  /** The thing that the list belongs to. */
  readonly owner: string;
  readonly fields: Readonly<Record<string, Value>>;
}

export type Things = ReadonlyMap<string, Thing>;
export type RowKey = (row: object) => string | undefined;

export function thingsOf(state: State, rowKey?: RowKey): Things {
  const things = new Map<string, Thing>();
  things.set("root", { list: "", owner: "", fields: { title: state.title, total: state.total, rate: state.rate } });
  for (const list of ["todo", "done"] as const) {
    for (const { id, born, title, status, points, at, subs } of state[list]) {
      things.set(born, { list, owner: "root", fields: { id, title, status, points, at } });
      for (const { born: part, text } of subs) {
        things.set(part, { list: `parts of ${born}`, owner: born, fields: { text } });
      }
    }
  }
  for (const { born, amount, text } of state.bills) {
    things.set(born, { list: "bills", owner: "root", fields: { amount, text } });
  }
  for (const { name, task } of state.workers) {
    things.set(`worker ${name}`, { list: "workers", owner: "root", fields: { task } });
  }
  for (const [key, { text }] of Object.entries(state.notes)) {
    things.set(`note ${key}`, { list: "notes", owner: "root", fields: { text } });
  }
  for (const tag of state.tags) things.set(`tag ${tag}`, { list: "tags", owner: "root", fields: {} });
  if (rowKey) {
    for (const row of state.rows) {
      things.set(rowKey(row) ?? "row ?", { list: "rows", owner: "root", fields: { n: row.n } });
    }
  }
  return things;
}

export interface FieldSet {
  readonly key: string;
  readonly field: string;
  readonly from: Value;
  readonly to: Value;
}

/** What one change did, thing by thing. Derived fields are left out. */
export interface Effect {
  readonly born: ReadonlyMap<string, Thing>;
  readonly removed: ReadonlyMap<string, Thing>;
  readonly moved: ReadonlyMap<string, { readonly from: string; readonly to: string; readonly owner: string }>;
  readonly set: ReadonlyMap<string, FieldSet>;
  /** The lists in which things that stayed changed their order. */
  readonly ordered: ReadonlySet<string>;
}

export function slot(key: string, field: string): string {
  return `${key} . ${field}`;
}

export function effectOf(before: Things, after: Things): Effect {
  const effect = {
    born: new Map<string, Thing>(),
    removed: new Map<string, Thing>(),
    moved: new Map<string, { from: string; to: string; owner: string }>(),
    set: new Map<string, FieldSet>(),
    ordered: new Set<string>(),
  };
  for (const [key, thing] of before) if (!after.has(key)) effect.removed.set(key, thing);
  for (const [key, thing] of after) {
    const was = before.get(key);
    if (was === undefined) {
      effect.born.set(key, thing);
      continue;
    }
    if (was.list !== thing.list) effect.moved.set(key, { from: was.list, to: thing.list, owner: thing.owner });
    for (const [field, to] of Object.entries(thing.fields)) {
      const from = was.fields[field] ?? "";
      if (from !== to) effect.set.set(slot(key, field), { key, field, from, to });
    }
  }
  const orders = (one: Things, other: Things): Map<string, string[]> => {
    const lists = new Map<string, string[]>();
    for (const [key, { list }] of one) {
      // A record has no order.
      if (list === "notes" || other.get(key)?.list !== list) continue;
      const keys = lists.get(list) ?? [];
      keys.push(key);
      lists.set(list, keys);
    }
    return lists;
  };
  const now = orders(after, before);
  for (const [list, keys] of orders(before, after)) {
    if (keys.join("|") !== now.get(list)?.join("|")) effect.ordered.add(list);
  }
  return effect;
}

export function isEmpty({ born, removed, moved, set, ordered }: Effect): boolean {
  return born.size + removed.size + moved.size + set.size + ordered.size === 0;
}

/** The things that a change touched: set, born, removed, moved. */
export function touched({ born, removed, moved, set }: Effect): Set<string> {
  return new Set([...born.keys(), ...removed.keys(), ...moved.keys(), ...[...set.values()].map(({ key }) => key)]);
}

export function sameThing(a: Thing, b: Thing): boolean {
  const fields = Object.entries(a.fields);
  return (
    a.list === b.list &&
    a.owner === b.owner &&
    fields.length === Object.keys(b.fields).length &&
    fields.every(([field, value]) => b.fields[field] === value)
  );
}

/**
 * How one effect compares with another: `same` in everything, the same things with other `values`,
 * only a part of it (`less`), or `other`: more, other things, or things born with other content.
 */
export type Comparison = "same" | "values" | "less" | "other";

export function compareEffects(recorded: Effect, now: Effect): Comparison {
  const within =
    [...now.born].every(([key, thing]) => {
      const was = recorded.born.get(key);
      return was !== undefined && sameThing(was, thing);
    }) &&
    [...now.removed.keys()].every((key) => recorded.removed.has(key)) &&
    [...now.moved].every(([key, { to }]) => recorded.moved.get(key)?.to === to) &&
    [...now.set.keys()].every((key) => recorded.set.has(key)) &&
    [...now.ordered].every((list) => recorded.ordered.has(list));
  if (!within) return "other";
  const all =
    now.born.size === recorded.born.size &&
    now.removed.size === recorded.removed.size &&
    now.moved.size === recorded.moved.size &&
    now.set.size === recorded.set.size &&
    now.ordered.size === recorded.ordered.size;
  if (!all) return "less";
  return [...now.set].every(([key, { to }]) => recorded.set.get(key)?.to === to) ? "same" : "values";
}

/** Deep equality of JSON values, whatever the order of keys. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key as keyof typeof a], b[key as keyof typeof b]))
  );
}
