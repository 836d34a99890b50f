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
import { checkContainer, checkScalar, copyJsonOnPage, emptyLike, keysOf, shallow } from "./json.ts";

/** By what was read, and by its draft. */
type Nodes = Map<unknown, Node>;

/** A container that was read, and the traps of its draft. */
class Node {
  declare readonly base: Container;
  /** What was written, among drafts of what was read. */
  declare readonly copy: Container;
  /** It belongs to a value that was put in. */
  declare readonly isFresh: boolean;
  /** A part of it was read, or it was written to. */
  declare isTouched?: boolean;
  declare readonly draft: { readonly proxy: object; readonly revoke: () => void };
  readonly #nodes: Nodes;

  constructor(nodes: Nodes, base: Container, isFresh: boolean) {
    this.base = base;
    this.copy = shallow(base);
    this.isFresh = isFresh;
    this.draft = Proxy.revocable(this.copy, this);
    this.#nodes = nodes.set(base, this).set(this.draft.proxy, this);
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
    const isNew = this.isFresh || part !== this.base[key];
    const node = this.#nodes.get(part);
    return node || !isLook || isNew ? (node ?? new Node(this.#nodes, part, isNew)).draft.proxy : freeze(part);
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

export interface Drafting {
  readonly draft: unknown;
  /** From now on a use of a draft throws a TypeError. */
  end(): void;
  /**
   * Ends the drafts. Throws when something that was put in is not JSON, or a draft of another run.
   */
  finish(): object;
}

export function draftOf(state: object): Drafting {
  const nodes: Nodes = new Map();
  const placed = new Map<object, Container>();
  const root = new Node(nodes, state as Container, false);

  const finish = (base: Container, isFresh: boolean): Container => {
    const elsewhere = placed.get(base);
    if (elsewhere) return copyJsonOnPage(elsewhere) as Container;
    const node = nodes.get(base);
    const done = isFresh || node?.isTouched ? rebuild(base, node?.copy ?? base, isFresh) : base;
    if (node) placed.set(base, done);
    return done;
  };
  /** Whether what was replaced, with its parts, stands nowhere else: it stays for its equal. */
  const mayStay = (old: unknown, latest: Container): boolean => {
    const parts = new Set<Container>();
    const isFree = (part: unknown): boolean => {
      if (!isContainer(part)) return true;
      parts.add(part);
      return !placed.has(part) && equal(nodes.get(part)?.copy ?? part, part, 1) && Object.values(part).every(isFree);
    };
    if (Object.values(latest).includes(old) || !isFree(old)) return false;
    for (const part of parts) placed.set(part, part);
    return true;
  };
  const rebuild = (base: Container, latest: Container, isFresh: boolean): Container => {
    if (isFresh) checkContainer(base);
    const result = emptyLike(base);
    for (const key of keysOf(latest)) {
      const value = latest[key];
      const old = base[key];
      if (isContainer(value)) {
        const held = nodes.get(value)?.base ?? value;
        const isNew = nodes.get(held)?.isFresh ?? (isFresh || value !== old);
        const done = finish(held, isNew);
        result[key] = isNew && !isFresh && equal(done, old) && mayStay(old, latest) ? old : done;
      } else if (value !== undefined) result[key] = checkScalar(value);
      else if (Array.isArray(base)) result[key] = value;
    }
    if (!isFresh) return equal(result, base, 1) ? base : copied(result, base);
    created(result);
    return result;
  };
  const end = () => {
    for (const { draft } of nodes.values()) draft.revoke();
  };
  return {
    draft: root.draft.proxy,
    end,
    finish() {
      const result = finish(root.base, false);
      end();
      return result;
    },
  };
}

/** `deepFreeze` marks what is frozen, too, for the other build's drafts: more bytes than this. */
function freeze(value: unknown): unknown {
  if (isContainer(value) && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
