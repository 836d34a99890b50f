// A copy of what the patches of a move lead through, as the operations so far have made it: the
// path of the next operation is looked up in it.
//
// Only what is looked into is live; the rest are values of the base.

import { escapeToken } from "../../../patch/pointer.ts";
import type { Container } from "../touched.ts";

/** Where an item of a live list is: at its place, or parked at the list's end. */
export const PLACED = -1;
export const PARKED = -2;

/** At a key that holds nothing. */
export const ABSENT = Symbol("absent");

/** A container as the patches so far have made it. */
export class Live {
  readonly base: Container;
  parent: Live | undefined;
  /** In a parent that is no list. */
  key = "";
  /** Of a list: its items; those that are looked into are live, too. */
  items: readonly unknown[] | undefined;
  /** Of a list: the index that each item had, PLACED or PARKED. */
  origins: number[] = [];
  /** Of an object: what differs from the base. */
  readonly #entries = new Map<string, unknown>();
  readonly children = new Set<Live>();
  /** The value in the new state that must be moved from here to its new place. */
  awaited: object | undefined;

  constructor(base: Container, parent: Live | undefined) {
    this.base = base;
    this.parent = parent;
    if (Array.isArray(base)) {
      this.items = [...base];
      this.count();
    }
  }

  /** Numbers the items anew. */
  count(): void {
    this.origins = Array.from(this.items ?? [], (_, index) => index);
  }

  at(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry !== undefined) return entry;
    return Object.hasOwn(this.base, key) ? this.base[key] : ABSENT;
  }

  put(key: string, value: unknown): void {
    this.#entries.set(key, value);
    if (value instanceof Live) this.#adopt(value, key);
  }

  insert(index: number, value: unknown): void {
    (this.items as unknown[]).splice(index, 0, value);
    this.origins.splice(index, 0, PLACED);
    if (value instanceof Live) this.#adopt(value, "");
  }

  take(index: number): void {
    const [item] = (this.items as unknown[]).splice(index, 1);
    this.origins.splice(index, 1);
    if (item instanceof Live) this.children.delete(item);
  }

  set(index: number, value: unknown): void {
    (this.items as unknown[])[index] = value;
    if (value instanceof Live) this.#adopt(value, "");
  }

  detach(child: Live): void {
    if (this.items === undefined) {
      this.#entries.set(child.key, ABSENT);
      this.children.delete(child);
    } else this.take(this.items.indexOf(child));
  }

  /** The live container at a key, or at a present index. */
  child(key: string | number): Live {
    const found = this.items === undefined ? this.at(String(key)) : this.items[Number(key)];
    if (found instanceof Live) return found;
    const child = new Live(found as Container, this);
    if (this.items === undefined) this.#entries.set(String(key), child);
    else this.set(Number(key), child);
    this.#adopt(child, String(key));
    return child;
  }

  path(): string {
    if (this.parent === undefined) return "";
    const { items } = this.parent;
    return this.parent.place(items === undefined ? this.key : items.indexOf(this));
  }

  place(key: string | number): string {
    return `${this.path()}/${typeof key === "number" ? key : escapeToken(key)}`;
  }

  /** Whether it, or something in it, waits to be moved out. */
  isNeeded(): boolean {
    if (this.awaited !== undefined) return true;
    for (const child of this.children) if (child.isNeeded()) return true;
    return false;
  }

  /** Its present value. */
  value(): object {
    const { items } = this;
    if (items !== undefined) {
      const values = items.map(valueOf);
      return values.length !== this.base.length || values.some((value, index) => value !== this.base[index])
        ? values
        : this.base;
    }
    let copy = this.base;
    for (const [key, entry] of this.#entries) {
      const value = valueOf(entry);
      if (value === copy[key] && Object.hasOwn(copy, key)) continue;
      if (copy === this.base) copy = { ...this.base };
      if (value === ABSENT) delete copy[key];
      else copy[key] = value;
    }
    return copy;
  }

  keys(): Iterable<string> {
    return new Set([...Object.keys(this.base), ...this.#entries.keys()]);
  }

  #adopt(child: Live, key: string): void {
    child.parent = this;
    child.key = key;
    this.children.add(child);
  }
}

export function valueOf(value: unknown): unknown {
  return value instanceof Live ? value.value() : value;
}

export function isNeeded(value: unknown): boolean {
  return value instanceof Live && value.isNeeded();
}

/** The part of a value that must be moved out of it, or the value itself. */
export function neededIn(value: unknown): Live | undefined {
  if (!(value instanceof Live)) return undefined;
  if (value.awaited !== undefined) return value;
  for (const child of value.children) {
    const found = neededIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
