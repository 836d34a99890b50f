// The large objects that a batch edits, copied once or twice for all its parts instead of once for
// each: `{ ...record }` of 20,000 keys takes longer than all that an operation does beside.
//
// Of each such object there are two, alike but for what the present part does: `base` is as the
// part found it, its twin is written to. When the part is over, what it wrote is written to the
// former base as well, and the two change places.
//
// Invariant: what is private (open, written to again) is a value of the present state of the batch,
// in one place, and nowhere else. What a patch carries is known elsewhere, so it is given up. The
// states between the parts of a batch are seen by its own code alone.

import type { Patch } from "../../patch/index.ts";
import { copyObject, hasMoreKeys } from "../../json/copy-object.ts";
import { mark } from "./freeze.ts";
import { isContainer, type Change, type Container } from "./touched.ts";

/** Objects of fewer keys are copied faster than they are kept. */
const LARGE = 100;

export class WorkingCopies {
  /** Large objects that were copied here. */
  readonly #private = new Set<object>();
  /** What is to be written to in the place of an object that it equals. */
  readonly #twins = new Map<object, Container>();
  /** Copies that the present part writes to, with what each is a copy of. */
  readonly #inUse = new Map<object, object>();
  /** Keys that the present part deleted in a copy. */
  readonly #deleted = new Map<object, Set<string>>();

  /** A copy of an object to be written to. */
  copyOf(base: Container): Container {
    const twin = this.#twins.get(base);
    if (twin !== undefined) {
      this.#twins.delete(base);
      this.#inUse.set(twin, base);
      return twin;
    }
    const copy = copyObject(base);
    if (hasMoreKeys(copy, LARGE)) {
      mark(copy);
      this.#private.add(copy);
      this.#inUse.set(copy, base);
    }
    return copy;
  }

  /** Whether a container is open to more writes, so must not be frozen. */
  isOpen(container: object): boolean {
    return this.#private.has(container);
  }

  wasDeleted(copy: object, key: string): void {
    const keys = this.#deleted.get(copy);
    if (keys === undefined) this.#deleted.set(copy, new Set([key]));
    else keys.add(key);
  }

  /** A key that was deleted comes last: the same writes give its twin another order of keys. */
  wasSet(copy: object, key: string): void {
    if (this.#deleted.get(copy)?.has(key) === true) this.#inUse.delete(copy);
  }

  /** A part is over; `root` is what it changed. Without patches it changed nothing. */
  endPart(root: Change | undefined, { patches, inverse }: { readonly patches: Patch; readonly inverse: Patch }): void {
    if (root !== undefined) this.#keepTwins(root, patches.length > 0);
    this.#inUse.clear();
    this.#deleted.clear();
    for (const operation of patches) if ("value" in operation) this.#release(operation.value);
    for (const operation of inverse) if ("value" in operation) this.#release(operation.value);
  }

  /** The state is about to be made anew by other means. */
  clear(): void {
    for (const container of this.#private) Object.freeze(container);
    this.#private.clear();
    this.#twins.clear();
  }

  #keepTwins({ base, value, assigned, children }: Change, isKept: boolean): void {
    for (const child of children) this.#keepTwins(child, isKept);
    if (this.#inUse.get(value) !== base) return;
    const [from, to] = isKept ? [value, base] : [base, value];
    // The state's own is not written to: of that there is one copy now, and there will be another.
    if (!this.#private.has(to)) return;
    for (const key of assigned) copyKey(from, to, key);
    for (const { key } of children) copyKey(from, to, key);
    this.#twins.set(from, to);
  }

  #release(value: unknown): void {
    if (this.#private.size === 0 || !isContainer(value)) return;
    for (const key of Object.keys(value)) this.#release(value[key]);
    if (!this.#private.delete(value)) return;
    this.#twins.delete(value);
    Object.freeze(value);
  }
}

function copyKey(from: Container, to: Container, key: string | number): void {
  if (Object.hasOwn(from, key)) to[key] = from[key];
  else delete to[key];
}
