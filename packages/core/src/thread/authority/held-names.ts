// The versions whose states and names are kept, up to a number of versions and up to a size.
//
// Versions share what did not change between them. So each counts what its commit made anew: what
// its patches put in, the containers on their paths, and the names of the lists among those.
//
// Invariant: what is needed now is kept, whatever it takes.

import type { NamedState } from "../../engine/things/index.ts";
import { isContainer } from "../../json/container.ts";
import { parsePointer, type Patch } from "../../patch/index.ts";

/** Those that were asked for last. */
const MOST_VERSIONS = 1_024;
/** Slots of containers of all of them, of 8 to 50 bytes each. */
const MOST_SLOTS = 2_000_000;

interface Held {
  readonly named: NamedState;
  readonly slots: number;
}

export class HeldNames {
  /** In the order in which they were asked for last. */
  readonly #held = new Map<number, Held>();
  readonly #mostSlots: number;
  #slots = 0;
  #needed: ReadonlySet<number> = new Set();

  constructor(mostSlots = MOST_SLOTS) {
    this.#mostSlots = mostSlots;
  }

  /** These are kept until others are needed. */
  need(versions: ReadonlySet<number>): void {
    this.#needed = versions;
  }

  at(version: number): NamedState | undefined {
    const held = this.#held.get(version);
    if (held === undefined) return undefined;
    this.#held.delete(version);
    this.#held.set(version, held);
    return held.named;
  }

  /** `slots`: what of it is its own. */
  hold(version: number, named: NamedState, slots: number): void {
    const before = this.#held.get(version);
    this.#held.delete(version);
    this.#held.set(version, { named, slots: before?.slots ?? slots });
    if (before === undefined) this.#slots += slots;
    if (this.#isOver) this.#dropOldest(version);
  }

  /** The newest version up to this one that is held. */
  nearest(version: number): { readonly version: number; readonly named: NamedState } | undefined {
    let nearest: { readonly version: number; readonly named: NamedState } | undefined;
    for (const [held, { named }] of this.#held)
      if (held <= version && held > (nearest?.version ?? -1)) nearest = { version: held, named };
    return nearest;
  }

  clear(): void {
    this.#held.clear();
    this.#slots = 0;
  }

  get #isOver(): boolean {
    return this.#held.size > MOST_VERSIONS || this.#slots > this.#mostSlots;
  }

  #dropOldest(newest: number): void {
    for (const [version, { slots }] of this.#held) {
      if (!this.#isOver) return;
      if (version === newest || this.#needed.has(version)) continue;
      this.#held.delete(version);
      this.#slots -= slots;
    }
  }
}

/** About how many slots a commit made anew that led to a state. */
export function slotsOf(patches: Patch, state: unknown): number {
  const made = new Set<object>();
  let slots = 0;
  for (const step of patches) {
    if ("value" in step) slots += sizeOf(step.value);
    let value = state;
    for (const token of parsePointer(step.path)) {
      if (!isContainer(value)) break;
      if (!made.has(value)) {
        made.add(value);
        // A list has names beside its items. An object of many keys is a table, of three words each.
        slots += Array.isArray(value) ? 2 * value.length : 3 * Object.keys(value).length;
      }
      value = value[token];
    }
  }
  return slots;
}

/** How many slots a whole state has. */
export function sizeOf(state: unknown): number {
  if (!isContainer(state)) return 0;
  const parts: readonly unknown[] = Object.values(state);
  return parts.reduce<number>(
    (sum, part) => sum + sizeOf(part),
    Array.isArray(state) ? parts.length : 3 * parts.length,
  );
}
