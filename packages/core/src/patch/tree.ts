/**
 * A document under change. Invariants:
 * - what it was given is never written to: a container is copied before its first change, and only
 *   then owned, so each is copied at most once per patch, and all else stays shared;
 * - an owned container is in the tree once, and all its ancestors are owned;
 * - a value put in is shared, not owned: it is copied should a later operation change it.
 *
 * Every method checks first and changes afterwards. A refusal leaves the given document as it was.
 */
import { formatPointer } from "./pointer.ts";
import { copyObject } from "../json/copy-object.ts";
import { type PlainContainer, isPlainContainer, isRecord, own } from "../json/container.ts";
import { describe, quote } from "../json/describe.ts";
import { Refusal } from "./refusal.ts";

/**
 * A place in a document: its parents' tokens and its own key, `depth` in all; the root has no key.
 */
export interface Location {
  readonly pointer: string;
  readonly depth: number;
  readonly parents: readonly string[];
  readonly key: string | undefined;
}

export class Tree {
  root: unknown;
  /** Undefined until a second change is to be expected: the first one meets no container twice. */
  #owned: Set<unknown> | undefined;

  constructor(root: unknown) {
    this.root = root;
  }

  /** There will be more than one change: from here on, what is copied is kept in mind. */
  expectMore(): void {
    this.#owned ??= new Set();
  }

  /** The value at a location. */
  read(at: Location): unknown {
    if (at.key === undefined) {
      if (this.root === undefined) throw new Refusal("not_found", "there is no document");
      return this.root;
    }
    let value: unknown;
    this.#edit(at, (parent, key) => {
      value = present(parent, at.parents, key);
      return parent;
    });
    return value;
  }

  /** Puts a value at a location that has one, and returns the value that was there. */
  replace(at: Location, value: unknown): unknown {
    let previous: unknown;
    if (at.key === undefined) {
      previous = this.read(at);
      this.root = value;
      return previous;
    }
    this.#edit(at, (parent, key) => {
      previous = present(parent, at.parents, key);
      return previous === value ? parent : this.#put(parent, key, value);
    });
    return previous;
  }

  /** Adds a value; returns where it landed (`-` resolved) and what it overwrote, if anything. */
  add(at: Location, value: unknown): { pointer: string; previous: unknown } {
    let { pointer } = at;
    if (at.key === undefined) return { pointer, previous: this.replace(at, value) };
    let previous: unknown;
    this.#edit(at, (parent, key) => {
      if (!Array.isArray(parent)) {
        previous = own(parent, key);
        if (previous === value) return parent;
        // An inherited name, such as "toString", cannot be assigned where prototypes are frozen.
        return key in Object.prototype
          ? Object.defineProperty(this.#own(parent), key, {
              value,
              writable: true,
              enumerable: true,
              configurable: true,
            })
          : this.#put(parent, key, value);
      }
      const index = key === "-" ? parent.length : indexOf(key, parent.length + 1);
      if (index < 0) throw missing(parent, at.parents, key);
      if (key === "-") pointer = pointer.slice(0, -1) + index;
      const copy = this.#own(parent);
      copy.splice(index, 0, value);
      return copy;
    });
    return { pointer, previous };
  }

  /** Takes the value at a location out and returns it. */
  remove(at: Location): unknown {
    if (at.key === undefined)
      throw new Refusal("invalid_operation", "the whole document cannot be removed; replace it");
    let value: unknown;
    this.#edit(at, (parent, key) => {
      value = present(parent, at.parents, key);
      const copy = this.#own(parent);
      if (Array.isArray(copy)) copy.splice(Number(key), 1);
      else delete copy[key];
      return copy;
    });
    return value;
  }

  /**
   * Gives up ownership of a value and everything in it, for it is about to be known elsewhere too.
   * Looks into owned containers only, so it costs no more than copying them did.
   */
  disown(value: unknown): void {
    if (!isPlainContainer(value) || !this.#owned?.delete(value)) return;
    for (const child of Array.isArray(value) ? value : Object.values(value)) this.disown(child);
  }

  /**
   * Walks to the container that has a location, changes it, and on the way back all that hold it,
   * unless it stayed the same.
   */
  #edit({ parents, key = "" }: Location, change: (parent: PlainContainer, key: string) => PlainContainer): void {
    const visit = (node: unknown, depth: number): PlainContainer => {
      const token = parents[depth];
      if (!isPlainContainer(node)) throw missing(node, parents.slice(0, depth), token ?? key);
      if (token === undefined) return change(node, key);
      const child = childOf(node, token);
      if (child === undefined) throw missing(node, parents.slice(0, depth), token);
      const next = visit(child, depth + 1);
      return next === child ? node : this.#put(node, token, next);
    };
    this.root = visit(this.root, 0);
  }

  #put(container: PlainContainer, token: string, value: unknown): PlainContainer {
    const copy = this.#own(container);
    if (Array.isArray(copy)) copy[Number(token)] = value;
    else copy[token] = value;
    return copy;
  }

  #own<C extends PlainContainer>(container: C): C;
  #own(container: PlainContainer): PlainContainer {
    if (this.#owned?.has(container)) return container;
    // Spread only: V8 reads a frozen array 50 times slower through slice, with or toSpliced.
    const copy = Array.isArray(container) ? [...container] : copyObject(container);
    this.#owned?.add(copy);
    return copy;
  }
}

/** The index that a token names in an array of `length`, or -1: digits only, no leading zero. */
function indexOf(token: string, length: number): number {
  if (token === "" || (token.length > 1 && token.startsWith("0"))) return -1;
  let index = 0;
  for (let i = 0; i < token.length; i++) {
    const digit = token.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
    if (index >= length) return -1;
  }
  return index;
}

/** The own child of a container; undefined when there is none. */
function childOf(container: PlainContainer, token: string): unknown {
  if (!Array.isArray(container)) return own(container, token);
  const index = indexOf(token, container.length);
  return index < 0 ? undefined : container[index];
}

function present(parent: PlainContainer, parents: readonly string[], key: string): unknown {
  const child = childOf(parent, key);
  if (child === undefined) throw missing(parent, parents, key);
  return child;
}

function missing(node: unknown, parents: readonly string[], token: string): Refusal {
  const where = parents.length === 0 ? "the document" : quote(formatPointer(parents));
  const why = Array.isArray(node)
    ? `has length ${node.length}, and ${quote(token)} is not an index in it`
    : isRecord(node)
      ? `has no member ${quote(token)}`
      : `is ${describe(node)} and has no members`;
  return new Refusal("not_found", `${where} ${why}`);
}
