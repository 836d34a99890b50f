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
import { type Container, describe, isContainer, isRecord, own, quote } from "./json.ts";
import { Refusal } from "./refusal.ts";

/** A place in a document: its parents' tokens and its own key, `depth` in all; the root has no key. */
export interface Location {
  readonly pointer: string;
  readonly depth: number;
  readonly parents: readonly string[];
  readonly key: string | undefined;
}

export class Tree {
  root: unknown;
  readonly #owned = new Set<unknown>();

  constructor(root: unknown) {
    this.root = root;
  }

  /** The value at a location. */
  read({ parents, key }: Location): unknown {
    const parent = this.#walk(parents);
    if (key === undefined) return parent;
    const value = childOf(parent, key);
    if (value === undefined) throw missing(parent, parents, key);
    return value;
  }

  /** Puts a value at a location that has one, and returns the value that was there. */
  replace(at: Location, value: unknown): unknown {
    const previous = this.read(at);
    if (previous === value) return previous;
    if (at.key === undefined) this.root = value;
    else setChild(this.#writable(at.parents), at.key, value);
    return previous;
  }

  /** Adds a value; returns where it landed (`-` resolved) and what it overwrote, if anything. */
  add(at: Location, value: unknown): { pointer: string; previous: unknown } {
    const { pointer, parents, key } = at;
    if (key === undefined) return { pointer, previous: this.replace(at, value) };
    const parent = this.#walk(parents);
    if (Array.isArray(parent)) {
      const index = key === "-" ? parent.length : indexOf(key, parent.length + 1);
      if (index < 0) throw missing(parent, parents, key);
      const target = this.#writable(parents);
      if (Array.isArray(target)) target.splice(index, 0, value);
      return { pointer: key === "-" ? pointer.slice(0, -1) + index : pointer, previous: undefined };
    }
    if (!isRecord(parent)) throw missing(parent, parents, key);
    const previous = own(parent, key);
    if (previous !== value) setChild(this.#writable(parents), key, value);
    return { pointer, previous };
  }

  /** Takes the value at a location out and returns it. */
  remove(at: Location): unknown {
    const { parents, key } = at;
    if (key === undefined) {
      throw new Refusal("invalid_operation", "the whole document cannot be removed; replace it");
    }
    const value = this.read(at);
    const parent = this.#writable(parents);
    if (Array.isArray(parent)) parent.splice(indexOf(key, parent.length), 1);
    else delete parent[key];
    return value;
  }

  /**
   * Gives up ownership of a value and everything in it, for it is about to be known elsewhere too.
   * Looks into owned containers only, so it costs no more than copying them did.
   */
  disown(value: unknown): void {
    if (!isContainer(value) || !this.#owned.delete(value)) return;
    for (const child of Array.isArray(value) ? value : Object.values(value)) this.disown(child);
  }

  #walk(tokens: readonly string[]): unknown {
    let node = this.root;
    let depth = 0;
    for (const token of tokens) {
      const child = childOf(node, token);
      if (child === undefined) throw missing(node, tokens.slice(0, depth), token);
      node = child;
      depth++;
    }
    if (node === undefined) throw new Refusal("not_found", "there is no document");
    return node;
  }

  /** The container at the end of a path that exists, copied and owned all the way down. */
  #writable(tokens: readonly string[]): Container {
    let node = this.#own(this.root);
    this.root = node;
    for (const token of tokens) {
      const child = childOf(node, token);
      const copy = this.#own(child);
      if (copy !== child) setChild(node, token, copy);
      node = copy;
    }
    return node;
  }

  #own(value: unknown): Container {
    if (!isContainer(value)) throw new Refusal("not_found", `${describe(value)} has no members`);
    if (this.#owned.has(value)) return value;
    // Spread only: V8 reads a frozen array 50 times slower through slice, with or toSpliced.
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#owned.add(copy);
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
function childOf(node: unknown, token: string): unknown {
  if (Array.isArray(node)) {
    const index = indexOf(token, node.length);
    return index < 0 ? undefined : node[index];
  }
  return isRecord(node) ? own(node, token) : undefined;
}

function setChild(container: Container, token: string, value: unknown): void {
  if (Array.isArray(container)) {
    container[indexOf(token, container.length)] = value;
  } else if (Object.hasOwn(container, token) || !(token in container)) {
    container[token] = value;
  } else {
    // An inherited name, such as "toString", cannot be assigned where prototypes are frozen.
    Object.defineProperty(container, token, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
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
