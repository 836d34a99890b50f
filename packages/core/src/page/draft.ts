// A small copy-on-read draft: an operation edits it as if the state could be changed.
//
//   state     { columns: [ A, B ] }          never written to
//   draft     a shallow copy of each container that was read, behind a proxy that drafts its parts
//   result    { columns: [ A, B' ] }         a copy that is still as it was is left out again
//
// Invariants:
// - A container has one place in a state, so a draft is found by its container. Of what is put in
//   two places, the second is a copy.
// - What is put in is read where it stands, and never written to.
// - A search sees items as they are, frozen, and makes a draft of what it finds alone.

import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { copied, created } from "./identity.ts";
import { checkContainer, checkScalar, copyJson, emptyLike, keysOf, shallow } from "./json.ts";

/**
 * The draft of a part; a value without parts as it is. `isLook`: of what nobody has read yet, the
 * part itself, frozen.
 */
type Wrap = (part: unknown, isFresh: boolean, isLook?: boolean) => unknown;

/** A container that was read, and the traps of its draft. */
class Node {
  readonly base: Container;
  /** What was written, among drafts of what was read. */
  readonly copy: Container;
  /** It belongs to a value that was put in. */
  readonly isFresh: boolean;
  /** A part of it was read, or it was written to. */
  isTouched = false;
  readonly draft: { readonly proxy: object; readonly revoke: () => void };
  readonly #wrap: Wrap;

  constructor(base: Container, isFresh: boolean, wrap: Wrap) {
    this.base = base;
    this.copy = shallow(base);
    this.isFresh = isFresh;
    this.#wrap = wrap;
    this.draft = Proxy.revocable(this.copy, this);
  }

  get(copy: Container, key: PropertyKey, _?: unknown, isLook?: boolean): unknown {
    const part = copy[key];
    // A search makes a draft of what it finds, and of no other item.
    if (typeof part === "function" && /^(find|some|every)/.test(String(key)))
      return (...given: unknown[]) => {
        const items = keysOf(copy).map((at) => this.get(copy, at, _, true));
        const found: unknown = Reflect.apply(part, items, given);
        return isContainer(found) ? this.get(copy, items.indexOf(found)) : found;
      };
    if (!isContainer(part) || !Object.hasOwn(copy, key)) return part;
    this.isTouched = true;
    return this.#wrap(part, this.isFresh || part !== this.base[key], isLook);
  }

  getOwnPropertyDescriptor(copy: Container, key: PropertyKey): PropertyDescriptor | undefined {
    const found = Reflect.getOwnPropertyDescriptor(copy, key);
    return found && { ...found, value: this.get(copy, key) };
  }

  defineProperty(...written: [Container, PropertyKey, PropertyDescriptor]): boolean {
    this.isTouched = true;
    return Reflect.defineProperty(...written);
  }

  deleteProperty(...deleted: [Container, PropertyKey]): boolean {
    this.isTouched = true;
    return Reflect.deleteProperty(...deleted);
  }
}

export class Drafting {
  /** By what was read, and by its draft. */
  readonly #nodes = new Map<object, Node>();
  readonly #base: object;
  readonly draft: unknown;

  constructor(base: object) {
    this.#base = base;
    this.draft = this.#wrap(base, false);
  }

  /** The draft of a container; a value without parts as it is. */
  readonly #wrap: Wrap = (value, isFresh, isLook) => {
    if (!isContainer(value)) return value;
    let node = this.#nodes.get(value);
    if (!node) {
      if (isLook && !isFresh) return freeze(value);
      node = new Node(value, isFresh, this.#wrap);
      this.#nodes.set(value, node).set(node.draft.proxy, node);
    }
    return node.draft.proxy;
  };

  /** From now on whoever uses a draft gets a TypeError. */
  end(): void {
    for (const { draft } of this.#nodes.values()) draft.revoke();
  }

  /**
   * Ends the drafts. Throws when something that was put in is not JSON, or a draft of another run.
   */
  finish(): object {
    const placed = new Map<object, Container>();
    const finish = (base: Container, isFresh: boolean): Container => {
      const elsewhere = placed.get(base);
      if (elsewhere) return copyJson(elsewhere) as Container;
      const node = this.#nodes.get(base);
      const latest = node?.copy ?? base;
      const done = isFresh || node?.isTouched ? rebuild(base, latest, isFresh) : base;
      if (node) placed.set(base, done);
      return done;
    };
    /** Whether what was replaced, with its parts, stands nowhere else: it stays for its equal. */
    const mayStay = (old: unknown, latest: Container): old is Container => {
      const parts = new Set<Container>();
      const isFree = (part: unknown): boolean => {
        if (!isContainer(part)) return true;
        parts.add(part);
        const node = this.#nodes.get(part);
        return !placed.has(part) && equal(node?.copy ?? part, part, 1) && Object.values(part).every(isFree);
      };
      if (!isContainer(old) || Object.values(latest).includes(old) || !isFree(old)) return false;
      for (const part of parts) placed.set(part, part);
      return true;
    };
    const rebuild = (base: Container, latest: Container, isFresh: boolean): Container => {
      if (isFresh) checkContainer(base);
      const result = emptyLike(base);
      for (const key of keysOf(latest)) {
        const value = latest[key];
        const old = base[key];
        if (!isContainer(value)) {
          if (value !== undefined) result[key] = checkScalar(value);
          else if (Array.isArray(base)) result[key] = value;
          continue;
        }
        const held = this.#nodes.get(value)?.base ?? value;
        const isNew = this.#nodes.get(held)?.isFresh ?? (isFresh || value !== old);
        const done = finish(held, isNew);
        result[key] = isNew && !isFresh && equal(done, old) && mayStay(old, latest) ? old : done;
      }
      if (isFresh) {
        created(result);
        return result;
      }
      return equal(result, base, 1) ? base : copied(result, base);
    };
    const state = finish(this.#base as Container, false);
    this.end();
    return state;
  }
}

function freeze(value: unknown): unknown {
  if (isContainer(value) && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
