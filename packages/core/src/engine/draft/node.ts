// What all drafts have in common: a node behind each proxy, and the scope that all drafts of one
// operation belong to.
//
// Invariants:
// 1. `base` is never written to. The first write makes `copy`; `latest` is the one to read.
// 2. A node over the state (`isNew` false) holds primitives, containers of the state as they are,
//    and drafts: whatever an operation puts in is wrapped in a draft first. So a container found
//    there is part of the state, wherever it has moved to.
// 3. A node over a value that the operation put in (`isNew`) reads that value live and never writes
//    to it: it belongs to the caller.
// 4. Non-objects are returned as they are; every other value of a state is seen as a draft, the
//    same one each time.

import { copyObject } from "../../json/copy-object.ts";
import { DraftError, flawOf } from "./error.ts";
import { isContainer, type Change, type Container, type Key } from "./touched.ts";
import type { FrozenParts } from "./frozen-parts.ts";
import { Room } from "./room.ts";
import { originalOf, type Gathering } from "./views.ts";
import type { WorkingCopies } from "./working-copies.ts";

/** Read from any object, gives the node when the object is a draft. */
export const NODE: unique symbol = Symbol("opstate.draft");

/** Called by Node for what it prints, so that a draft shows its content. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

export function nodeOf(value: object): Node | undefined {
  return (value as { readonly [NODE]?: Node })[NODE];
}

/** How drafts are made; kept apart, for one kind of draft makes others. */
export interface NodeKinds {
  readonly wrap: Wrap;
  /** A list of items of another. */
  readonly select: (source: Node) => Gathering;
}

type Wrap = (scope: DraftScope, base: object, isNew: boolean, parent: Node | undefined, key: Key) => Node;

interface ScopeOptions {
  readonly copies?: WorkingCopies | undefined;
  readonly most?: number | undefined;
}

/** What the drafts of one run of an operation share. */
export class DraftScope {
  revoked = false;
  /**
   * Drafts of plain values that were put in, so that the same value is the same draft wherever it
   * was put.
   */
  #inserted: Map<object, Node> | undefined;
  readonly #kinds: NodeKinds;
  readonly root: Node;
  /** What of the base cannot be written to, so that callbacks may see it as it is. */
  readonly frozen: FrozenParts;
  readonly copies: WorkingCopies | undefined;
  /** Lists that know their items by the places that these have in another. */
  selections: { update(): void }[] | undefined;

  readonly room: Room;

  constructor(base: object, kinds: NodeKinds, frozen: FrozenParts, { copies, most }: ScopeOptions = {}) {
    this.copies = copies;
    this.room = new Room(base, most);
    this.#kinds = kinds;
    this.frozen = frozen;
    this.root = kinds.wrap(this, base, false, undefined, "");
  }

  /** A copy of an object of the state, to be written to. */
  copyOf(base: Container): Container {
    return this.copies === undefined ? copyObject(base) : this.copies.copyOf(base);
  }

  /** A draft of the container of the state that `parent` has at `key`. */
  draft(base: object, parent: Node, key: Key): Node {
    return this.#kinds.wrap(this, base, false, parent, key);
  }

  select(source: Node): Gathering {
    return this.#kinds.select(source);
  }

  /** The draft of a plain container that was put in, made when first needed. */
  draftInserted(value: object): Node {
    const plain = originalOf(value) as object;
    this.#inserted ??= new Map();
    let node = this.#inserted.get(plain);
    if (node === undefined) this.#inserted.set(plain, (node = this.#kinds.wrap(this, plain, true, undefined, "")));
    return node;
  }

  insertedDraft(value: object): Node | undefined {
    return this.#inserted?.get(originalOf(value) as object);
  }

  /**
   * A value as it is stored below `parent`: a draft in the place of any container. Refuses at once
   * what can never be JSON.
   */
  toStored(value: unknown, parent: Node, key: Key): unknown {
    if (value === undefined || value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (isContainer(value)) {
      const node = nodeOf(value);
      if (node?.scope === this) return value;
      if (node !== undefined) throw this.#refused("must be JSON, got a draft of another operation", parent, key);
    }
    const flaw = flawOf(value);
    if (flaw !== undefined) throw this.#refused(flaw, parent, key);
    if (Array.isArray(value)) this.room.fit(value.length, () => [...placeOf(parent), key]);
    return isContainer(value) ? this.draftInserted(value).proxy : value;
  }

  check(): void {
    if (this.revoked)
      throw new DraftError(
        "This draft has ended with the operation it was made for. Copy what you need before apply returns.",
      );
  }

  #refused(problem: string, parent: Node, key: Key): DraftError {
    const path = pathTo(parent, this.root, new Set());
    return new DraftError(problem, path === undefined ? [] : [...path, key]);
  }
}

/**
 * Its fields are declared, and set in the constructors: a loop makes a node for each item, and a
 * field that is defined first and set then made that a quarter slower.
 */
export abstract class Node implements ProxyHandler<object> {
  declare readonly base: object;
  declare readonly scope: DraftScope;
  declare readonly isNew: boolean;
  /** The place of `base` in the state: whose it is, and the key; an index of -1 is not known. */
  declare readonly parent: Node | undefined;
  declare readonly key: Key;
  declare readonly proxy: object;
  declare copy: object | undefined;
  declare children: object | undefined;
  /** When the operation is over: the plain value; "open" while that is made. */
  declare finalized: object | "open" | undefined;
  /** And what changed in it, if it is the base's. */
  declare touched: Change | undefined;
  abstract readonly latest: object;

  constructor(scope: DraftScope, base: object, target: object, isNew: boolean, parent: Node | undefined, key: Key) {
    this.base = base;
    this.scope = scope;
    this.isNew = isNew;
    this.parent = parent;
    this.key = key;
    this.finalized = undefined;
    this.touched = undefined;
    this.proxy = new Proxy(target, this);
  }

  /** Whether nothing was written in it, and no draft was made of anything in it. */
  get isUntouched(): boolean {
    return this.copy === undefined && this.children === undefined;
  }

  /** Before the first write in it, and the first draft of something in it. */
  protected touch(): void {
    if (this.isUntouched) this.parent?.noteTouched(this);
  }

  /** The draft of a child is about to be written to, or to have drafts of its own. */
  noteTouched(_child: Node): void {}

  /** The draft of what the base has at a key and still has there, if one was made. */
  abstract unmovedChild(key: string): Node | undefined;
  abstract get(target: object, key: string | symbol): unknown;
  abstract set(target: object, key: string | symbol, value: unknown): boolean;
  abstract deleteProperty(target: object, key: string | symbol): boolean;

  has(_target: object, key: string | symbol): boolean {
    this.scope.check();
    return key in this.latest;
  }

  ownKeys(): (string | symbol)[] {
    this.scope.check();
    return Reflect.ownKeys(this.latest);
  }

  getOwnPropertyDescriptor(target: object, key: string | symbol): PropertyDescriptor | undefined {
    this.scope.check();
    const found = Reflect.getOwnPropertyDescriptor(this.latest, key);
    if (found === undefined) return undefined;
    // As on a plain container, even if the base is frozen. A proxy has to say that an array's
    // length is not configurable.
    const isLength = key === "length" && Array.isArray(target);
    return { value: this.get(target, key), writable: true, enumerable: !isLength, configurable: !isLength };
  }

  defineProperty(target: object, key: string | symbol, property: PropertyDescriptor): boolean {
    this.scope.check();
    const isNew = !Object.hasOwn(this.latest, key);
    const { get, set, value, writable = !isNew, enumerable = !isNew, configurable = !isNew } = property;
    if (get !== undefined || set !== undefined || !(writable && enumerable && configurable)) {
      throw new DraftError(
        `A draft holds plain values only: "${String(key)}" cannot be defined with an accessor, hidden or read-only`,
      );
    }
    return "value" in property || isNew ? this.set(target, key, value) : true;
  }

  preventExtensions(): never {
    throw new DraftError("A draft cannot be frozen, sealed or made non-extensible");
  }

  setPrototypeOf(): never {
    throw new DraftError("The prototype of a draft cannot be set");
  }
}

/** Where the base has a node; what was put in has no place there. */
export function placeOf(node: Node): Key[] {
  return node.parent === undefined ? [] : [...placeOf(node.parent), node.key];
}

/** Where a node stands now, for a message: looked for, because drafts move. */
function pathTo(wanted: Node, node: Node, seen: Set<Node>): Key[] | undefined {
  if (node === wanted) return [];
  seen.add(node);
  for (const [key, value] of Object.entries(node.latest)) {
    const child = isContainer(value)
      ? (nodeOf(value) ?? node.scope.insertedDraft(value) ?? node.unmovedChild(key))
      : undefined;
    const path = child === undefined || seen.has(child) ? undefined : pathTo(wanted, child, seen);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
}
