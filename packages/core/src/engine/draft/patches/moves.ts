// The patches of an edit that moved containers of the base: each of them stays itself, so it is
// moved, and never removed here and added there.
//
// A copy of what the patches lead through, the live tree, is changed along with every operation, so
// that each path is that of its moment:
//
//   the base's order ──> 1. from the root down, every place of the new state is filled: by a move,
//                           an addition or a replacement
//                    ──> 2. from the leaves up, what was not moved is removed, and lists in
//                           another order altogether are replaced ──> the new state's order
//
// A container is at its place before its own places are filled, so nothing is moved into itself.
// A key may still hold what is needed elsewhere: then it waits for that, and where several wait for
// one another (two keys that are swapped), one container is parked at a spare key of the root.
// (Long because it is one algorithm.)

import { equal } from "../../../json/equal.ts";
import { ABSENT, isNeeded, Live, neededIn, PARKED, PLACED, valueOf } from "./live.ts";
import { inOrder } from "./longest-run.ts";
import { PatchWriter, type Patches } from "./patch-writer.ts";
import {
  isContainer,
  type Change,
  type Container,
  type KeptContainer,
  type KeptContainers,
  type Splice,
} from "../touched.ts";

/** Where a new item comes from: nowhere, or from elsewhere; else its index in the list. */
const NEW = -1;
const ELSEWHERE = -2;

/** What becomes of an item. */
const STAYS = 0;
const MOVES = 1;
const GOES = 2;

/** How a list gets its items. */
interface Plan {
  /** For each new item: its index in the list, NEW or ELSEWHERE. */
  readonly sources: Int32Array;
  /** For each new item, 1 when it need not be moved. */
  readonly stays: Uint8Array;
  /** For each item that was there: STAYS, MOVES within the list or GOES. */
  readonly fates: Uint8Array;
  /** Operations for items of its own, and the values that they carry. */
  readonly cost: number;
}

const LEVELS = 256;

export function movePatches(root: Change, kept: KeptContainers): Patches {
  // A part that went into a copy of its owner, which took the owner's place: nothing changed.
  if (equal(root.base, root.value, LEVELS)) return { patches: [], inverse: [] };
  return new MoveScript(root, kept).run();
}

/** A key of an object that is to hold a value. */
interface Place {
  readonly live: Live;
  readonly key: string;
  readonly value: unknown;
}

class MoveScript {
  readonly #writer = new PatchWriter();
  readonly #root: Live;
  readonly #change: Change;
  /** By its value in the new state. */
  readonly #moved = new Map<unknown, Live>();
  /** What was edited in them, by its value: what it is in the base. */
  readonly #edited = new Map<unknown, object>();
  readonly #copies: ReadonlyMap<unknown, object> | undefined;
  /** What was edited in its place. */
  readonly #lives = new Map<Change, Live>();
  /** Keys that are to be filled. */
  #places: Place[] = [];
  /**
   * What was moved to a spare place; a derived field may be in the place that it waits for.
   */
  readonly #parked: Live[] = [];
  /** What is done when everything is in its place. */
  readonly #last: (() => void)[] = [];

  constructor(change: Change, { moved, copies }: KeptContainers) {
    this.#change = change;
    this.#copies = copies;
    this.#root = new Live(change.base, undefined);
    for (const kept of moved) {
      if (typeof kept.finalized !== "object" || this.#moved.has(kept.finalized)) continue;
      const live = this.#find(kept);
      live.awaited = kept.finalized;
      this.#moved.set(kept.finalized, live);
      if (kept.touched !== undefined) this.#noteEdits(kept.touched);
    }
  }

  #noteEdits({ base, value, children }: Change): void {
    this.#edited.set(value, base);
    for (const child of children) this.#noteEdits(child);
  }

  /** Whether a container that was not moved became `value`. */
  #isSame(container: unknown, value: unknown): boolean {
    const base = container instanceof Live ? container.base : container;
    if (!isContainer(base)) return false;
    const original = this.#original(value);
    return original === base || this.#edited.get(original) === base;
  }

  /** A value as it was before derived fields. */
  #original(value: unknown): unknown {
    return this.#copies?.get(value) ?? value;
  }

  run(): Patches {
    this.#visit(this.#change, this.#root);
    this.#edit(this.#change);
    while (this.#places.length > 0) {
      const places = this.#places;
      this.#places = [];
      const waiting = places.filter((place) => !this.#fill(place));
      // What was filled may have brought new places.
      if (waiting.length === places.length && this.#places.length === 0) this.#park(waiting[0] as Place);
      this.#places.push(...waiting);
    }
    for (const parked of this.#parked) if (parked.awaited !== undefined) this.#remove(parked);
    for (const last of this.#last.reverse()) last();
    return this.#writer.finish();
  }

  #find({ base, parent, key }: KeptContainer): Live {
    if (parent === undefined) return this.#root;
    const list = parent.base;
    return this.#find(parent).child(key === -1 && Array.isArray(list) ? list.indexOf(base) : key);
  }

  /** Makes all of the tree live while it is in the base's order. */
  #visit(change: Change, live: Live): void {
    this.#lives.set(change, live);
    for (const child of change.children) this.#visit(child, live.child(child.from));
  }

  /** What was edited in its place. */
  #edit(change: Change): void {
    const { value, assigned, children, splices, reordered } = change;
    const live = this.#lives.get(change) as Live;
    if (Array.isArray(value)) {
      if (splices.length > 0) this.#list(live, value, splices, reordered);
    } else
      for (const key of assigned as string[]) this.#key(live, key, Object.hasOwn(value, key) ? value[key] : ABSENT);
    for (const child of children) this.#edit(child);
  }

  /** A container that is in its place becomes `value`. */
  #become(live: Live, value: Container): void {
    if (live.base === value) return;
    if (live.items !== undefined && Array.isArray(value)) {
      live.count();
      this.#list(live, value, [windowOf(live.items, value)], false);
      return;
    }
    for (const key of Object.keys(value)) this.#key(live, key, value[key]);
    for (const key of live.keys()) if (!Object.hasOwn(value, key)) this.#key(live, key, ABSENT);
  }

  #key(live: Live, key: string, value: unknown): void {
    if (live.at(key) === value) return;
    if (value !== ABSENT) this.#places.push({ live, key, value });
    else
      this.#last.push(() => {
        const found = live.at(key);
        if (found === ABSENT) return;
        this.#writer.remove(live.place(key), valueOf(found));
        live.put(key, ABSENT);
      });
  }

  /** False when the place holds what is needed elsewhere. */
  #fill({ live, key, value }: Place): boolean {
    const found = live.at(key);
    const moved = this.#waiting(value);
    if (moved !== undefined) {
      if (found !== moved) {
        if (isNeeded(found)) return false;
        if (found !== ABSENT) this.#writer.remove(live.place(key), valueOf(found));
        this.#move(moved, live, key);
      }
      this.#become(placed(moved), value as Container);
      return true;
    }
    if (found instanceof Live && found.awaited !== undefined) return false;
    if (found === ABSENT) {
      const bare = this.#withoutMoved(value);
      this.#writer.add(live.place(key), bare);
      live.put(key, bare);
      if (bare !== value) this.#become(live.child(key), value as Container);
    } else if (
      isAlike(found, value) &&
      (found instanceof Live || this.#isSame(found, value) || this.#withoutMoved(value) !== value)
    ) {
      this.#become(live.child(key), value as Container);
    } else {
      if (isNeeded(found)) return false;
      const bare = this.#withoutMoved(value);
      if (bare === value) this.#writer.replace(live.place(key), valueOf(found), value);
      else this.#writer.put(live.place(key), valueOf(found), bare);
      live.put(key, bare);
      if (bare !== value) this.#become(live.child(key), value as Container);
    }
    return true;
  }

  /**
   * The items of a list, from the first to the last. `windows` are the stretches that gave way to
   * others, by the indices that its items were counted with.
   */
  #list(live: Live, value: readonly unknown[], windows: readonly Splice[], reordered: boolean): void {
    const plan = this.#plan(live, value, windows);
    if (reordered || plan.cost > value.length + 1) return this.#reorder(live, value, plan);
    const items = live.items as unknown[];
    /** What its items become, once all of them are there. */
    const next: (readonly [Live, unknown])[] = [];
    let at = 0;
    for (let j = 0; j < value.length; j++) {
      const source = plan.sources[j] as number;
      if (plan.stays[j] === 1) {
        while (live.origins[at] !== source) at += 1;
        const item = items[at];
        if (item instanceof Live && item.awaited !== undefined) next.push([placed(item), value[j]]);
        else if (item !== value[j] && this.#isSame(item, value[j])) next.push([live.child(at), value[j]]);
      } else if (source !== NEW) {
        const moved =
          source === ELSEWHERE ? (this.#waiting(value[j]) as Live) : live.child(live.origins.indexOf(source));
        if (moved.parent === live && items.indexOf(moved) < at) at -= 1;
        this.#move(moved, live, at);
        next.push([placed(moved), value[j]]);
      } else {
        const bare = this.#withoutMoved(value[j]);
        const instead = insteadOf(live, at, plan.fates, value[j]);
        if (instead < 0) {
          this.#writer.add(live.place(at), bare);
          live.insert(at, bare);
        } else {
          at = instead;
          const before = items[at];
          if (!isAlike(before, value[j]) || !(before instanceof Live || bare !== value[j])) {
            if (bare === value[j]) this.#writer.replace(live.place(at), valueOf(before), bare);
            else this.#writer.put(live.place(at), valueOf(before), bare);
            live.set(at, bare);
          }
        }
        if (items[at] !== value[j]) next.push([live.child(at), value[j]]);
      }
      live.origins[at] = PLACED;
      at += 1;
    }
    this.#last.push(() => this.#sweep(live));
    for (const [item, its] of next) this.#become(item, its as Container);
  }

  /** Removes what has no place. */
  #sweep(live: Live): void {
    for (let i = 0; i < live.origins.length;) {
      if (live.origins[i] === PLACED) i += 1;
      else {
        this.#writer.remove(live.place(i), valueOf(live.items?.[i]));
        live.take(i);
      }
    }
  }

  /** Everything comes into the list, in any order; then the list is replaced. */
  #reorder(live: Live, value: readonly unknown[], { sources }: Plan): void {
    const next: (readonly [Live, unknown])[] = [];
    for (let j = 0; j < value.length; j++) {
      const source = sources[j] as number;
      const end = live.origins.length;
      const moved = source === NEW ? undefined : this.#waiting(value[j]);
      if (moved?.awaited !== undefined) {
        if (moved.parent !== live) this.#move(moved, live, end);
        next.push([placed(moved), value[j]]);
      } else if (source >= 0) {
        const at = live.origins.indexOf(source);
        if (this.#isSame(live.items?.[at], value[j])) next.push([live.child(at), value[j]]);
      } else if (source === NEW && this.#withoutMoved(value[j]) !== value[j]) {
        this.#writer.add(live.place(end), this.#withoutMoved(value[j]));
        live.insert(end, this.#withoutMoved(value[j]));
        next.push([live.child(end), value[j]]);
      }
    }
    this.#last.push(() => {
      const before = live.value();
      if (!equal(before, value, LEVELS)) this.#writer.put(live.path(), before, value);
      live.items = value;
    });
    for (const [item, its] of next) this.#become(item, its as Container);
  }

  /** Where each item of `value` comes from, and what it takes to bring them into order. */
  #plan(live: Live, value: readonly unknown[], windows: readonly Splice[]): Plan {
    const items = live.items as unknown[];
    const sources = new Int32Array(value.length);
    const stays = new Uint8Array(value.length).fill(1);
    const fates = new Uint8Array(Math.max(items.length, live.base.length as number)).fill(STAYS);
    const known = new Map<unknown, number[]>();
    const claimed = new Set<unknown>();
    const claim = (value: unknown, from: number, end: number): number => {
      const original = this.#original(value);
      const key = known.has(original) ? original : this.#edited.get(original);
      const places = known.get(key);
      const found = places?.findIndex((place) => from <= place && place < end) ?? -1;
      if (places === undefined || found < 0) return NEW;
      claimed.add(original);
      return places.splice(found, 1)[0] as number;
    };
    let at = 0;
    for (const { from, removed } of windows) {
      for (; at < items.length && (live.origins[at] as number) < from + removed; at++) {
        const origin = live.origins[at] as number;
        if (origin < from) continue;
        fates[origin] = GOES;
        const item = items[at];
        const key = item instanceof Live ? (item.awaited ?? item.base) : item;
        const places = known.get(key);
        if (places === undefined) known.set(key, [origin]);
        else places.push(origin);
      }
    }
    let j = 0;
    let shift = 0;
    for (const { from, removed, at: start, inserted } of windows) {
      for (; j < start; j++) sources[j] = j + shift;
      for (; j < start + inserted; j++) {
        sources[j] = claim(value[j], from, from + removed);
        stays[j] = 0;
      }
      for (const index of inOrder(sources, start, j)) stays[index] = 1;
      shift += removed - inserted;
    }
    for (; j < value.length; j++) sources[j] = j + shift;
    let cost = 0;
    for (const { at: start, inserted } of windows) {
      for (let k = start; k < start + inserted; k++) {
        if (sources[k] === NEW) sources[k] = claim(value[k], 0, Infinity);
        const source = sources[k] as number;
        if (stays[k] === 1) fates[source] = STAYS;
        else if (source >= 0) {
          fates[source] = MOVES;
          cost += 1;
        } else if (this.#waiting(value[k]) !== undefined && !claimed.has(this.#original(value[k]))) {
          claimed.add(this.#original(value[k]));
          sources[k] = ELSEWHERE;
        } else cost += 2;
      }
    }
    for (const [index, item] of items.entries()) {
      const origin = live.origins[index] as number;
      if (origin >= 0 && fates[origin] === GOES && !(item instanceof Live && item.awaited !== undefined)) cost += 1;
    }
    return { sources, stays, fates, cost };
  }

  #waiting(value: unknown): Live | undefined {
    const live = isContainer(value) ? this.#moved.get(this.#original(value)) : undefined;
    return live?.awaited === undefined ? undefined : live;
  }

  #move(moved: Live, to: Live, key: string | number): void {
    const from = moved.path();
    moved.parent?.detach(moved);
    if (typeof key === "number") to.insert(key, moved);
    else to.put(key, moved);
    const path = moved.path();
    if (from !== path) this.#writer.move(from, path);
  }

  #remove(live: Live): void {
    this.#writer.remove(live.path(), live.value());
    live.parent?.detach(live);
  }

  /** Moves what is in the way to a spare place. */
  #park({ live, key }: Place): void {
    const moved = neededIn(live.at(key));
    if (moved === undefined) throw new Error(`Nothing is in the way at ${live.place(key)}`);
    this.#parked.push(moved);
    const { items, origins } = this.#root;
    if (items !== undefined) {
      this.#move(moved, this.#root, items.length);
      origins[items.length - 1] = PARKED;
      return;
    }
    let spare = "_";
    while (this.#root.at(spare) !== ABSENT || Object.hasOwn(this.#change.value, spare)) spare += "_";
    this.#move(moved, this.#root, spare);
  }

  /** A value without the containers in it that are still to be moved there. */
  #withoutMoved(value: unknown): unknown {
    if (!isContainer(value)) return value;
    if (Array.isArray(value)) {
      const rest = value.filter((item) => this.#waiting(item) === undefined).map((item) => this.#withoutMoved(item));
      return rest.length === value.length && rest.every((item, index) => item === value[index]) ? value : rest;
    }
    let rest = value;
    for (const key of Object.keys(value)) {
      const moved = this.#waiting(value[key]);
      const bare = moved === undefined ? this.#withoutMoved(value[key]) : ABSENT;
      if (bare === value[key]) continue;
      if (rest === value) rest = { ...value };
      if (bare === ABSENT) delete rest[key];
      else rest[key] = bare;
    }
    return rest;
  }
}

/** The index of an item that a new one may take the place of; -1 when there is none. */
function insteadOf({ items = [], origins }: Live, at: number, fates: Uint8Array, value: unknown): number {
  for (let i = at; i < items.length; i++) {
    const origin = origins[i] as number;
    const item = items[i];
    if (origin === PARKED || fates[origin] === MOVES) continue;
    if (fates[origin] !== GOES) return -1;
    if (item instanceof Live && (item.awaited !== undefined || (item.isNeeded() && !isAlike(item, value)))) continue;
    return i;
  }
  return -1;
}

/** It is where it belongs. */
function placed(live: Live): Live {
  live.awaited = undefined;
  return live;
}

/** What lies between the items that a list has at both ends as before. */
function windowOf(items: readonly unknown[], value: readonly unknown[]): Splice {
  const shorter = Math.min(items.length, value.length);
  let from = 0;
  while (from < shorter && items[from] === value[from]) from += 1;
  let tail = 0;
  while (tail < shorter - from && items[items.length - 1 - tail] === value[value.length - 1 - tail]) tail += 1;
  return { from, removed: items.length - from - tail, at: from, inserted: value.length - from - tail };
}

/** Whether both are lists or both are objects. */
function isAlike(before: unknown, value: unknown): boolean {
  const container = before instanceof Live ? before.base : before;
  return isContainer(container) && isContainer(value) && Array.isArray(container) === Array.isArray(value);
}
