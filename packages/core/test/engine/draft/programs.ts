// Random edits that mean the same on a draft and on a plain object: what the property tests of the
// drafting engines run.

import fc from "fast-check";
import type { Patch } from "../../../src/patch/index.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Box = any;

const key = fc.constantFrom("a", "b", "c", "d", "id", "list", "", "x/y", "~", "length", "0", "constructor", "toString");
const primitive: fc.Arbitrary<Json> = fc.oneof(
  fc.nat({ max: 9 }),
  fc.constantFrom("", "p", "q", "r"),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
);

export const { tree, box } = fc.letrec<{ tree: Json; box: Json }>((tie) => ({
  tree: fc.oneof({ depthSize: "medium", withCrossShrink: true }, primitive, tie("box")),
  box: fc.oneof(
    fc.array(tie("tree"), { maxLength: 7, size: "max" }),
    fc.dictionary(key, tie("tree"), { maxKeys: 5, size: "max", noNullPrototype: true }),
  ),
}));

/** A state: an object with a list of objects, a list of values and whatever else. */
export const state: fc.Arbitrary<object> = fc.oneof(
  fc.record(
    {
      list: fc.array(tree, { minLength: 3, maxLength: 8, size: "max" }),
      a: box,
      b: tree,
      c: fc.array(primitive, { minLength: 2, maxLength: 8, size: "max" }),
    },
    { noNullPrototype: true },
  ),
  fc.array(tree, { minLength: 3, maxLength: 9, size: "max" }),
);

/** Where a step works: from the root or from something kept, down some keys. */
const place = fc.record({
  kept: fc.nat({ max: 12 }),
  path: fc.array(fc.nat({ max: 7 }), { maxLength: 4, size: "max" }),
});

const value = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("json" as const), json: tree }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("given" as const), index: fc.nat({ max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("ref" as const, "spread" as const, "wrap" as const), place }),
  },
);

const NAMES = [
  ...["set", "set", "set", "delete", "assign", "undefine", "define", "rename", "swap", "keep", "rewrite"],
  ...[
    "push",
    "pop",
    "shift",
    "unshift",
    "splice",
    "splice",
    "splice",
    "insert",
    "remove",
    "remove",
    "move",
    "move",
    "sort",
    "reverse",
    "fill",
    "copyWithin",
    "length",
    "grow",
  ],
  ...[
    "find",
    "findLast",
    "findIndex",
    "identity",
    "search",
    "quantify",
    "filter",
    "filterAssign",
    "mapAssign",
    "mapNested",
    "chain",
    "keepList",
    "copies",
    "forEach",
    "forOf",
    "drain",
    "reduce",
    "destructure",
    "read",
    "native",
  ],
] as const;

/** Steps that return parts of the state, or lists of them. */
const OWN: ReadonlySet<string> = new Set([
  "remove",
  "find",
  "findLast",
  "filter",
  "pop",
  "shift",
  "move",
  "keep",
  "rewrite",
  "rename",
  "insert",
]);

const step = fc.record({
  name: fc.constantFrom(...NAMES),
  place,
  other: place,
  m: fc.nat({ max: 9 }),
  n: fc.nat({ max: 9 }),
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
  keep: fc.boolean(),
});

export interface Program {
  readonly given: readonly Json[];
  /** Whether all results are looked at: on a draft, that makes drafts of all that is in them. */
  readonly looks?: boolean;
  readonly steps: readonly Step[];
}
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Place = Step["place"];
type Value = Step["values"][number];

export const program = (minLength: number, maxLength: number): fc.Arbitrary<Program> =>
  fc.record({
    given: fc.array(box, { minLength: 3, maxLength: 3 }),
    looks: fc.boolean(),
    steps: fc.array(step, { minLength, maxLength, size: "max" }),
  });

/**
 * One run: its own copies of the values that are put in, and everything that was seen on the way.
 */
export class Run {
  readonly seen: string[] = [];
  readonly given: Json[];
  readonly kept: object[];
  readonly #root: object;
  readonly #program: Program;
  /**
   * What may be put in where, as decided on the plain object: nothing into itself, and nothing too
   * large.
   */
  readonly #decisions: boolean[];
  readonly #deciding: boolean;

  constructor(root: object, program: Program, decisions?: boolean[]) {
    this.#root = root;
    this.#program = program;
    this.#deciding = decisions === undefined;
    this.#decisions = decisions === undefined ? [] : [...decisions];
    this.given = structuredClone([...program.given]);
    this.kept = [root];
  }

  run(): boolean[] {
    for (const step of this.#program.steps) {
      const target = this.#at(step.place);
      const result = Array.isArray(target) ? this.#list(target, step) : this.#object(target, step);
      if (this.#program.looks !== false) this.seen.push(`${step.name} ${JSON.stringify(result) ?? "-"}`);
      if (step.keep)
        for (const item of [target, ...(OWN.has(step.name) && Array.isArray(result) ? result : [])]) this.#keep(item);
    }
    if (this.#program.looks !== false) this.seen.push(JSON.stringify(this.#root));
    return this.#decisions;
  }

  #keep(item: unknown): void {
    if (isBox(item) && this.kept.length < 40) this.kept.push(item);
  }

  #at({ kept, path }: Place): Box {
    let target: Box = this.kept[kept % this.kept.length];
    for (const pick of path) {
      const keys = Object.keys(target);
      const next = keys.length === 0 ? undefined : target[keys[pick % keys.length] as string];
      if (!isBox(next)) break;
      target = next;
    }
    return target;
  }

  #values(target: object, values: readonly Value[]): unknown[] {
    return values.map((value) => {
      const made = this.#value(value);
      return !isBox(made) || this.#fits(made, target) ? made : 7;
    });
  }

  #fits(value: object, target: object): boolean | undefined {
    if (this.#deciding) this.#decisions.push(!contains(value, target) && JSON.stringify(value).length < 600);
    return this.#deciding ? this.#decisions.at(-1) : this.#decisions.shift();
  }

  #value(value: Value): unknown {
    if (value.kind === "json") return structuredClone(value.json);
    if (value.kind === "given") return this.given[value.index];
    const ref = this.#at(value.place);
    if (value.kind === "wrap") return { n: 1, inside: [ref] };
    return value.kind === "ref" ? ref : Array.isArray(ref) ? [...ref] : { ...ref };
  }

  #object(target: Box, { name, m, n, values, other, keep }: Step): unknown {
    const keys = Object.keys(target);
    const at = keys.length === 0 ? "a" : (keys[m % keys.length] as string);
    const to = ["a", "b", "c", "d", "e", "list", "x/y", "~", ""][n % 9] as string;
    switch (name) {
      case "delete":
        return delete target[at];
      case "undefine":
        target[at] = undefined;
        return at in target;
      case "assign": {
        const [one, two] = this.#values(target, values);
        return Object.keys(Object.assign(target, { [at]: one, [to]: two ?? 1 }));
      }
      case "define":
        Object.defineProperty(target, to, {
          value: this.#values(target, values)[0],
          writable: true,
          enumerable: true,
          configurable: true,
        });
        return Object.getOwnPropertyDescriptor(target, to);
      case "rename": {
        const moved = target[at];
        delete target[at];
        target[to] = moved;
        return [moved];
      }
      case "swap":
        [target[at], target[to]] = [target[to] ?? 0, target[at] ?? 0];
        return Object.keys(target);
      case "rewrite": {
        const before = target[at];
        target[at] = 12345;
        target[at] = before ?? null;
        return [before];
      }
      case "filterAssign":
      case "mapAssign": {
        const list: unknown = target[at];
        if (!Array.isArray(list)) return "-";
        target[at] =
          name === "filterAssign"
            ? list.filter((_, index) => index !== n)
            : list.map((item: Box, index) =>
                index === n && isBox(item) && !Array.isArray(item) ? { ...item, b: m } : item,
              );
        return target[at].length;
      }
      case "mapNested":
      case "chain":
      case "keepList": {
        const list: unknown = target[at];
        if (!Array.isArray(list)) return "-";
        const next = name === "mapNested" ? nested(list, m, n) : chain(list, m, n);
        const key = name === "keepList" ? to : at;
        if (!this.#fits(next, target)) return "-";
        target[key] = next;
        if (keep) this.#keep(target[key]);
        return target[key].length;
      }
      case "destructure": {
        const { [at]: one, ...rest } = target;
        return [one, Object.keys(rest), rest];
      }
      case "read":
        return [
          Object.hasOwn(target, to),
          to in target,
          Object.entries(target),
          Object.values(target).length,
          target.b?.list,
          this.#at(other) === target,
        ];
      default:
        if (name.length % 3 === 0) return Object.keys(target);
        target[name.length % 2 === 0 ? to : at] = this.#values(target, values)[0];
        return target[at];
    }
  }

  #list(list: Box[], { name, m, n, values, other, keep }: Step): unknown {
    const { length } = list;
    const i = length === 0 ? 0 : m % length;
    const j = length === 0 ? 0 : n % length;
    const big = (item: unknown) => (JSON.stringify(item) ?? "").length > m;
    switch (name) {
      case "set":
      case "define":
      case "assign":
        list[length === 0 || n === 0 ? length : i] = this.#values(list, values)[0];
        return list[i];
      case "remove":
        return list.splice(i, 1);
      case "delete":
      case "undefine":
        return list.splice(i, 2).length;
      case "rename":
      case "insert":
        list.splice(i, 0, this.#values(list, values)[0]);
        return [list[i]];
      case "move": {
        if (length === 0) return "-";
        const [item] = list.splice(i, 1);
        list.splice(j, 0, item);
        return [item];
      }
      case "swap":
        if (length > 1) [list[i], list[j]] = [list[j], list[i]];
        return list[j];
      case "push":
        return list.push(...this.#values(list, values));
      case "pop":
        return [list.pop()];
      case "shift":
        return [list.shift()];
      case "unshift":
        return list.unshift(...this.#values(list, values));
      case "splice":
        return n === 9 ? list.splice(-m) : list.splice(m - 3, n % 4, ...this.#values(list, values.slice(1)));
      case "sort":
        list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
        return "-";
      case "reverse":
        return list.reverse() === list;
      case "fill":
        return list.fill(this.#values(list, values)[0], m - 3, n);
      case "copyWithin":
        return list.copyWithin(m, n - 3, n + 2).length;
      case "length":
        list.length = Math.min(length, m);
        return list.length;
      case "grow":
        list.length = length + 2;
        return list.fill(n, length).length;
      case "find":
        return [list.find(big), list.findLast(big)];
      case "findLast": {
        const found = list.findLast(isBox);
        if (isBox(found) && !Array.isArray(found)) (found as Box).a = n;
        return [found];
      }
      case "findIndex":
        return [list.findIndex(big), list.findLastIndex(big)];
      case "identity": {
        const wanted = this.#at(other);
        const item = list[i];
        return [
          list.findIndex((one) => one === wanted),
          list.indexOf(wanted),
          list.includes(item),
          list.lastIndexOf(item),
          list.some((one) => one === item),
          list.indexOf(item, -2),
        ];
      }
      case "search":
        return [
          list.indexOf(n),
          list.includes("p"),
          list.lastIndexOf(null),
          list.at(-1),
          list.some(isBox) ? "-" : list.join("|") + String(list),
        ];
      case "quantify":
        return [list.some(big), list.every(big), list.filter(isBox).length];
      case "filter":
        return list.filter((item, at) => at !== i && isBox(item));
      case "filterAssign": {
        const rest = list.filter((_, at) => at !== i);
        list.splice(0, length, ...rest);
        return list.length;
      }
      case "mapAssign": {
        const next = list.map((item, at) =>
          at === i && isBox(item) && !Array.isArray(item) ? { ...item, b: n } : item,
        );
        for (let at = 0; at < next.length; at++) list[at] = next[at];
        return next;
      }
      case "mapNested":
      case "chain":
      case "keepList": {
        const next = name === "mapNested" ? nested(list, m, n) : chain(list, m, n);
        if (name !== "keepList") return list.splice(0, length, ...next).length;
        if (this.#fits(next, list)) list.push(next);
        if (keep) this.#keep(list.at(-1));
        return list.length;
      }
      case "copies":
        return [
          list.slice(i),
          list.concat([1], list).length,
          list.toReversed().at(0),
          length > 0 ? list.with(i, 5) : 0,
          list.toSpliced(i, 1),
          list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
          list.flat().length,
        ];
      case "forEach":
        list.forEach((item, at, all) => {
          if (isBox(item) && !Array.isArray(item) && at % 2 === 0) (item as Box).d = at + all.length;
        });
        return "-";
      case "forOf": {
        let rounds = 0;
        for (const item of list) {
          if (rounds++ > 4) break;
          if (keep && rounds === 2) list.push(rounds);
          if (!keep && rounds === 2) list.shift();
          if (isBox(item) && !Array.isArray(item)) (item as Box).c = rounds;
        }
        return rounds;
      }
      case "drain":
        for (let at = list.length - 1; at >= 0; at--) if (at % 3 === m % 3) list.splice(at, 1);
        return list.length;
      case "reduce":
        return [
          list.reduce((sum, item) => sum + (JSON.stringify(item) ?? "").length, 0),
          list.flatMap((item) => (isBox(item) ? Object.keys(item) : [])),
          [...list.entries()].length,
          [...list.keys()],
        ];
      case "destructure": {
        const [one, , ...rest] = list;
        return [one, rest];
      }
      case "native":
        Array.prototype.splice.call(list, i, 1);
        Array.prototype.push.call(list, n);
        return list.length;
      case "rewrite": {
        const before = list[i];
        if (length > 0) {
          list[i] = 12345;
          list[i] = before;
        }
        return [before];
      }
      case "read":
        return [
          Array.isArray(list),
          Object.keys(list),
          i in list,
          length in list,
          Object.getOwnPropertyDescriptor(list, "length"),
        ];
      case "keep":
        return [list[i]];
    }
  }
}

export function isBox(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Copies of some items, with changed lists in them. */
function nested(list: readonly Box[], m: number, n: number): Box[] {
  return list.map((item, index) => {
    if (!isRecord(item) || (index + n) % 3 === 0) return item;
    const key = Object.keys(item).find((one) => Array.isArray(item[one]));
    if (key === undefined) return n % 2 === 0 ? { ...item, b: m } : { n: 1, inside: item };
    const inner: readonly Box[] = item[key];
    if (m % 4 === 0) return { ...item, [key]: inner.filter((_, at) => at !== n % 3) };
    if (m % 4 === 1) return { ...item, [key]: nested(inner, n, m) };
    return m % 4 === 2 ? { ...item, [key]: [...inner, m] } : { ...item, c: [inner, { inner }] };
  });
}

/** Some of the items, some of them copies. */
function chain(list: readonly Box[], m: number, n: number): Box[] {
  const some = list.filter((_, index) => index !== m);
  const next =
    n % 3 === 0 ? some : some.map((item, index) => (index === n && isRecord(item) ? { ...item, b: m } : item));
  return n % 2 === 0 ? next : next.filter((_, index) => index !== n);
}

function isRecord(value: unknown): value is Record<string, Box> {
  return isBox(value) && !Array.isArray(value);
}

function contains(value: object, target: object): boolean {
  return value === target || Object.values(value).some((child) => isBox(child) && contains(child, target));
}

/**
 * Changes of one value each, by the plainest means; nothing is put in but values without parts.
 * Returns how many there were.
 */
export function edit(root: object, steps: readonly Edit[]): number {
  let edits = 0;
  for (const { path, kind, m, value } of steps) {
    let target: Box = root;
    for (const pick of path) {
      const keys = Object.keys(target);
      const next = keys.length === 0 ? undefined : target[keys[pick % keys.length] as string];
      if (isBox(next)) target = next;
    }
    const keys = Object.keys(target);
    edits += 1;
    if (!Array.isArray(target)) {
      if (kind === "out" && keys.length > 0) delete target[keys[m % keys.length] as string];
      else target[kind === "in" || keys.length === 0 ? `new${m}` : (keys[m % keys.length] as string)] = value;
    } else if (kind === "in") target.splice(m % (target.length + 1), 0, value);
    else if (kind === "out" || target.length === 0) target.splice(m % Math.max(1, target.length), 1);
    else if (kind === "over") target[m % target.length] = value;
    else if (kind === "push") target.push(value);
    else target.pop();
  }
  return edits;
}

export const edits = (minLength: number, maxLength: number): fc.Arbitrary<Edit[]> =>
  fc.array(
    fc.record({
      path: fc.array(fc.nat({ max: 7 }), { maxLength: 3, size: "max" }),
      kind: fc.constantFrom("in", "out", "over", "push", "pop"),
      m: fc.nat({ max: 9 }),
      value: primitive,
    }),
    { minLength, maxLength, size: "max" },
  );
interface Edit {
  readonly path: readonly number[];
  readonly kind: string;
  readonly m: number;
  readonly value: Json;
}

/** Applies a patch to a copy, in the plainest way; throws where a strict reader would refuse. */
export function applied(document: object, patch: Patch): unknown {
  const root: Box = { "": plain(document) };
  for (const operation of patch) {
    // RFC 6902 forbids it of the paths, whatever is there once the item is gone.
    if (operation.op === "move" && operation.path.startsWith(`${operation.from}/`))
      throw new Error(`"${operation.from}" may not be moved to "${operation.path}", which is below it`);
    // A move removes first: what it leads to may only then be there.
    const value =
      operation.op === "move"
        ? take(...locate(root, operation.from))
        : "value" in operation
          ? plain(operation.value)
          : undefined;
    const [parent, key] = locate(root, operation.path);
    if (operation.op === "remove") take(parent, key);
    else if (operation.op === "add" || operation.op === "move") put(parent, key, value);
    else if (operation.op === "replace" && Object.hasOwn(parent, key)) parent[key] = value;
    else throw new Error(`Cannot ${JSON.stringify(operation)}`);
  }
  return root[""];
}

function locate(root: Box, pointer: string): [Box, string] {
  const tokens = pointer.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = tokens.pop() as string;
  let parent = root;
  for (const token of tokens) {
    if (!Object.hasOwn(parent, token)) throw new Error(`Nothing at ${pointer}`);
    parent = parent[token];
  }
  return [parent, key];
}

function take(parent: Box, key: string): unknown {
  if (!Object.hasOwn(parent, key)) throw new Error(`Nothing to remove at ${key}`);
  if (Array.isArray(parent)) return parent.splice(Number(key), 1)[0];
  const value = parent[key];
  delete parent[key];
  return value;
}

function put(parent: Box, key: string, value: unknown): void {
  if (Array.isArray(parent)) {
    if (!(Number(key) <= parent.length)) throw new Error(`Nothing can be added at ${key}`);
    parent.splice(Number(key), 0, value);
  } else parent[key] = value;
}

/** JSON as it comes out of a run, `undefined` keys gone. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
