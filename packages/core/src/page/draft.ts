// A small copy-on-write draft: an operation edits it as if the state could be changed.
//
//   state     { columns: [ A, B ] }          never written to
//   draft     a proxy for each container that was read; the first write makes its copy
//   result    { columns: [ A, B' ] }         what was not written to is shared
//
// Invariants:
// - A container has one place in a state, so a draft is found by its container. Of what is put in
//   two places, the second is a copy.
// - What is put in is read where it stands, and never written to.

import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { copied, created } from "./identity.ts";
import { checkContainer, checkScalar, copyJson, emptyLike, keysOf, shallow } from "./json.ts";

const NODE = Symbol();

export class Drafting {
  readonly nodes = new Map<object, Node>();
  /** The plain containers that were put in. */
  readonly #fresh = new Set<object>();
  readonly #base: object;
  readonly draft: unknown;
  ended = false;

  constructor(base: object) {
    this.#base = base;
    this.draft = this.wrap(base, undefined);
  }

  /** The node behind a draft. */
  nodeOf(value: object): Node | undefined {
    const node = (value as { readonly [NODE]?: Node })[NODE];
    return node?.drafting === this ? node : undefined;
  }

  /** The draft of a container; a value without parts as it is. */
  wrap(value: unknown, parent: Node | undefined): unknown {
    if (!isContainer(value)) return value;
    let node = this.nodes.get(value);
    if (node === undefined) {
      if (this.nodeOf(value) !== undefined) return value;
      this.nodes.set(value, (node = new Node(this, value, parent, parent?.isFresh === true || this.#fresh.has(value))));
    }
    return node.proxy;
  }

  /** A value as a container holds it. */
  admit(value: unknown): unknown {
    if (!isContainer(value)) return value === 0 ? 0 : value;
    const node = this.nodeOf(value);
    if (node === undefined) this.#fresh.add(value);
    node?.parent?.mark();
    return node?.base ?? value;
  }

  /**
   * Ends the drafts. Throws when something that was put in is not JSON, or a draft of another run.
   */
  finish(): object {
    // What is in a value that was put in may still stand where it stood: both places are looked at.
    const scan = (value: unknown): void => {
      if (!isContainer(value)) return;
      const node = this.nodeOf(value);
      if (node === undefined) Object.values(value).forEach(scan);
      else node.parent?.mark();
    };
    this.#fresh.forEach(scan);
    this.ended = true;
    const placed = new Map<object, Container>();
    const finish = (base: Container, isFresh: boolean): Container => {
      const elsewhere = placed.get(base);
      if (elsewhere !== undefined) return copyJson(elsewhere) as Container;
      const node = this.nodes.get(base);
      const done = isFresh || node?.isModified === true ? rebuild(base, node?.copy ?? base, isFresh) : base;
      if (node !== undefined) placed.set(base, done);
      return done;
    };
    /** Whether what was replaced, with its parts, stands nowhere else: it stays for its equal. */
    const mayStay = (old: unknown, latest: Container): old is Container => {
      const parts = new Set<Container>();
      const isFree = (part: unknown): boolean => {
        if (!isContainer(part)) return true;
        parts.add(part);
        return !placed.has(part) && this.nodes.get(part)?.isModified !== true && Object.values(part).every(isFree);
      };
      if (!isContainer(old) || Object.values(latest).includes(old) || !isFree(old)) return false;
      for (const part of parts) placed.set(part, part);
      return true;
    };
    const rebuild = (base: Container, latest: Container, isFresh: boolean): Container => {
      if (isFresh) checkContainer(latest);
      const result = emptyLike(base);
      for (const key of keysOf(latest)) {
        const value = latest[key];
        if (!isContainer(value)) {
          if (value !== undefined) result[key] = value === base[key] && !isFresh ? value : checkScalar(value);
          else if (Array.isArray(base)) result[key] = value;
          continue;
        }
        const held = this.nodeOf(value)?.base ?? value;
        const isNew = this.nodes.get(held)?.isFresh ?? (isFresh || this.#fresh.has(held));
        const done = finish(held, isNew);
        result[key] = isNew && !isFresh && equal(done, base[key]) && mayStay(base[key], latest) ? base[key] : done;
      }
      if (isFresh) {
        created(result);
        return result;
      }
      return equal(result, base, 1) ? base : copied(result, base);
    };
    return finish(this.#base as Container, false);
  }
}

class Node implements ProxyHandler<object> {
  readonly drafting: Drafting;
  readonly base: Container;
  readonly parent: Node | undefined;
  /** It belongs to a value that was put in. */
  readonly isFresh: boolean;
  readonly proxy: object;
  copy: Container | undefined;
  isModified = false;

  constructor(drafting: Drafting, base: Container, parent: Node | undefined, isFresh: boolean) {
    this.drafting = drafting;
    this.base = base;
    this.parent = parent;
    this.isFresh = isFresh;
    this.proxy = new Proxy(emptyLike(base), this);
  }

  /** Marks it, and all that it is in, as changed. */
  mark(): void {
    if (!this.isModified) this.parent?.mark();
    this.isModified = true;
  }

  /** The copy to write to. */
  modify(): Container {
    this.mark();
    return (this.copy ??= shallow(this.base));
  }

  get #latest(): Container {
    if (this.drafting.ended) throw new TypeError("this draft has ended");
    return this.copy ?? this.base;
  }

  get(_: object, key: PropertyKey): unknown {
    if (key === NODE) return this;
    const latest = this.#latest;
    const value = latest[key];
    return isContainer(value) && Object.hasOwn(latest, key) ? this.drafting.wrap(value, this) : value;
  }

  set(_: object, key: PropertyKey, value: unknown): boolean {
    const latest = this.#latest;
    const admitted = this.drafting.admit(value);
    if (!Object.hasOwn(latest, key) || latest[key] !== admitted) this.modify()[key] = admitted;
    return true;
  }

  defineProperty(_: object, key: PropertyKey, { value }: PropertyDescriptor): boolean {
    return this.set(_, key, value);
  }

  deleteProperty(_: object, key: PropertyKey): boolean {
    if (Object.hasOwn(this.#latest, key)) Reflect.deleteProperty(this.modify(), key);
    return true;
  }

  has(_: object, key: PropertyKey): boolean {
    return key in this.#latest;
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.#latest);
  }

  getOwnPropertyDescriptor(target: object, key: PropertyKey): PropertyDescriptor | undefined {
    const latest = this.#latest;
    if (!Object.hasOwn(latest, key)) return undefined;
    const isLength = key === "length" && Array.isArray(target);
    return { value: this.get(target, key), writable: true, enumerable: !isLength, configurable: !isLength };
  }
}
