// The draft of an object. Reading copies nothing: drafts of children are kept beside, and written
// into the copy when all is over.

import { copyObject } from "../../json/copy-object.ts";
import { PROTO, PROTO_PROBLEM } from "../../json/reserved-keys.ts";
import { DraftError, ReservedKeyError } from "./error.ts";
import { INSPECT, Node, NODE, nodeOf, placeOf, type DraftScope } from "./node.ts";
import { isContainer, type Container, type Key } from "./touched.ts";

/** What every proxy needs to stand for; `console.log` in Node looks here, too. */
const TARGET = {
  [INSPECT](this: object) {
    return { ...this };
  },
};

export class ObjectNode extends Node {
  declare readonly base: Container;
  declare copy: Container | undefined;
  /**
   * Drafts of the base's containers, by key; one counts as long as its container is still in its
   * place. Most have one.
   */
  declare children: Node | Map<string, Node> | undefined;
  /** Keys that were assigned or deleted, in order; one may come more than once. */
  declare written: string[] | undefined;

  constructor(scope: DraftScope, base: object, isNew: boolean, parent: Node | undefined, key: Key) {
    super(scope, base, TARGET, isNew, parent, key);
    this.copy = undefined;
    this.children = undefined;
    this.written = undefined;
  }

  get latest(): Container {
    return this.copy ?? this.base;
  }

  get(_target: object, key: string | symbol): unknown {
    if (key === NODE) return this;
    this.scope.check();
    const value = (this.copy ?? this.base)[key];
    if (typeof value === "object" && value !== null && typeof key === "string") return this.child(key, value);
    // No value of a state is a function, so this one is inherited.
    return key === "constructor" && typeof value === "function" ? undefined : value;
  }

  /** A name that every object inherits, such as "toString", is none of its keys. */
  override has(target: object, key: string | symbol): boolean {
    return super.has(target, key) && (typeof key === "symbol" || Object.hasOwn(this.latest, key));
  }

  set(_target: object, key: string | symbol, value: unknown): boolean {
    this.scope.check();
    if (typeof key === "symbol") throw new DraftError(`A draft cannot have the key ${String(key)}`);
    if (key === PROTO) throw new ReservedKeyError(PROTO_PROBLEM, [...placeOf(this), key]);
    const { latest } = this;
    const stored = this.scope.toStored(value, this, key);
    if (stored === latest[key] && Object.hasOwn(latest, key)) return true;
    if (isContainer(stored) && this.unmovedChild(key)?.proxy === stored) return true;
    const copy = this.write(key);
    this.scope.copies?.wasSet(copy, key);
    copy[key] = stored;
    return true;
  }

  deleteProperty(_target: object, key: string | symbol): boolean {
    this.scope.check();
    if (typeof key !== "string" || !Object.hasOwn(this.latest, key)) return true;
    delete this.write(key)[key];
    this.scope.copies?.wasDeleted(this.latest, key);
    return true;
  }

  unmovedChild(key: string): Node | undefined {
    const child = this.childAt(key);
    return child?.base === this.latest[key] ? child : undefined;
  }

  /** The draft that was made last of what the base has at a key. */
  childAt(key: string): Node | undefined {
    const { children } = this;
    if (children instanceof Node) return children.key === key ? children : undefined;
    return children?.get(key);
  }

  private add(key: string, child: Node): void {
    const { children } = this;
    if (children === undefined) this.children = child;
    else if (children instanceof Map) children.set(key, child);
    else this.children = new Map([[children.key as string, children]]).set(key, child);
  }

  private write(key: string): Container {
    if (!this.isNew) {
      if (this.written === undefined) this.written = [key];
      else if (this.written.at(-1) !== key) this.written.push(key);
    }
    this.touch();
    return (this.copy ??= this.isNew ? copyObject(this.base) : this.scope.copyOf(this.base));
  }

  private child(key: string, value: object): unknown {
    const known = this.childAt(key);
    if (known?.base === value) return known.proxy;
    if (key === PROTO) return undefined;
    // The base holds no drafts.
    if ((this.copy !== undefined || this.isNew) && nodeOf(value) !== undefined) return value;
    if (this.isNew) return this.scope.draftInserted(value).proxy;
    const child = this.scope.draft(value, this, key);
    this.touch();
    this.add(key, child);
    return child.proxy;
  }
}
