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

import { type Container, isContainer } from "../json/container.ts";
import { equal } from "../json/equal.ts";
import { copied, created } from "./identity.ts";
import { checkContainer, checkScalar, copyJson, emptyLike, keysOf, shallow } from "./json.ts";

interface Node {
  readonly base: Container;
  /** What was written, among drafts of what was read. */
  readonly copy: Container;
  /** It belongs to a value that was put in. */
  readonly isFresh: boolean;
  isOpen: boolean;
  readonly proxy: object;
  readonly revoke: () => void;
}

export class Drafting {
  readonly #byBase = new Map<object, Node>();
  readonly #byDraft = new Map<object, Node>();
  readonly #base: object;
  readonly draft: unknown;

  constructor(base: object) {
    this.#base = base;
    this.draft = this.#wrap(base, false);
  }

  /** The draft of a container; a value without parts as it is. */
  #wrap(value: unknown, isFresh: boolean): unknown {
    if (!isContainer(value) || this.#byDraft.has(value)) return value;
    let node = this.#byBase.get(value);
    if (node === undefined) {
      const copy = shallow(value);
      const read = (key: PropertyKey): unknown => {
        const part = copy[key];
        if (!isContainer(part) || !Object.hasOwn(copy, key)) return part;
        node!.isOpen = true;
        return this.#wrap(part, isFresh || part !== value[key]);
      };
      const draft = Proxy.revocable(copy, {
        get: (_, key) => read(key),
        getOwnPropertyDescriptor(_, key) {
          const found = Reflect.getOwnPropertyDescriptor(copy, key);
          return found && { ...found, value: read(key) };
        },
      });
      node = { base: value, copy, isFresh, isOpen: false, ...draft };
      this.#byBase.set(value, node);
      this.#byDraft.set(node.proxy, node);
    }
    return node.proxy;
  }

  /** From now on whoever uses a draft gets a TypeError. */
  end(): void {
    for (const { revoke } of this.#byBase.values()) revoke();
  }

  /**
   * Ends the drafts. Throws when something that was put in is not JSON, or a draft of another run.
   */
  finish(): object {
    const placed = new Map<object, Container>();
    const finish = (base: Container, isFresh: boolean): Container => {
      const elsewhere = placed.get(base);
      if (elsewhere !== undefined) return copyJson(elsewhere) as Container;
      const node = this.#byBase.get(base);
      const latest = node?.copy ?? base;
      const isSame = !isFresh && node?.isOpen !== true && equal(latest, base, 1);
      const done = isSame ? base : rebuild(base, latest, isFresh);
      if (node !== undefined) placed.set(base, done);
      return done;
    };
    /** Whether what was replaced, with its parts, stands nowhere else: it stays for its equal. */
    const mayStay = (old: unknown, latest: Container): old is Container => {
      const parts = new Set<Container>();
      const isFree = (part: unknown): boolean => {
        if (!isContainer(part)) return true;
        parts.add(part);
        const node = this.#byBase.get(part);
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
        const held = this.#byDraft.get(value)?.base ?? value;
        const isNew = this.#byBase.get(held)?.isFresh ?? (isFresh || value !== old);
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
