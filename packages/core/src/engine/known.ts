// The states that the engine made itself, by identity.
//
// - Any other state (a checkpoint, user code, an older definition) is adopted once and remembered.
// - The caller's object is never frozen.

import type { Patch } from "../patch/index.ts";
import { Mark } from "./draft/freeze.ts";
import type { Described } from "./validation/issues.ts";

/** A state the engine can work on, or why it cannot: then only a replacement is accepted. */
export type Adopted =
  | {
      readonly ok: true;
      readonly state: object | null;
      /**
       * What leads from the state as it came to the state as it must be, and back; undefined when
       * they are equal.
       */
      readonly repair?: { readonly patches: Patch; readonly inverse: Patch } | undefined;
    }
  | { readonly ok: false; readonly problem: Described };

export class KnownStates {
  readonly #made = new WeakSet<object>();
  readonly #foreign = new WeakMap<object, Adopted>();

  has(state: object): boolean {
    return Mark.isMadeBy(state, this) || this.#made.has(state);
  }

  add(state: object): void {
    if (!Mark.noteMaker(state, this)) this.#made.add(state);
  }

  adoptState(current: unknown, adopt: (current: object) => Adopted): Adopted {
    if (current === null || current === undefined) return { ok: true, state: null };
    if (typeof current !== "object")
      return { ok: false, problem: { message: `The state is a ${typeof current}, not an object`, issues: [] } };
    if (this.has(current)) return { ok: true, state: current };
    const remembered = this.#foreign.get(current);
    if (remembered !== undefined) return remembered;
    const adopted = adopt(current);
    if (adopted.ok && adopted.state !== null) this.add(adopted.state);
    this.#foreign.set(current, adopted);
    return adopted;
  }
}
