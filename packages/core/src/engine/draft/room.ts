// How much an operation may put into a state: `most` values, and as many more as the base has, for
// all of those may give way. What is over that is refused while it is put in, before it takes
// memory.
//
//   draft.box = { a: draft.box, b: draft.box }      30 times: 31 objects, and 2^30 written out
//
// What has to be counted exactly, of what was put in and of what gave way, is counted from the
// patches (`growth.ts`). This is the wider limit that keeps those small enough to be made.

import { isContainer, type Key } from "./touched.ts";
import { DraftError } from "./error.ts";

/** More was put in than a state may have. The engine answers with `too_large`. */
export class GrowthError extends DraftError {
  readonly most: number;

  constructor(most: number, path: readonly Key[]) {
    super(`would have more than ${most} values`, path);
    this.name = "GrowthError";
    this.most = most;
  }
}

export class Room {
  /** Values that were put in so far; one that stands in several places counts in each of them. */
  used = 0;
  readonly #most: number;
  readonly #base: object;
  #limit: number;
  #isBaseCounted = false;

  constructor(base: object, most = Infinity) {
    this.#base = base;
    this.#most = most;
    this.#limit = most;
  }

  /** `values` more are put in. */
  take(values: number, path: readonly Key[]): void {
    this.used += values;
    if (this.used > this.#limit) this.fit(this.used, () => path);
  }

  /** Whether so many fit for certain. Where not, `fit` also counts the base. */
  has(values: number): boolean {
    return values <= this.#limit;
  }

  /** Throws when no state may have so many values. */
  fit(values: number, path: () => readonly Key[]): void {
    if (values <= this.#limit) return;
    // Rare, so the whole base may be counted.
    if (!this.#isBaseCounted) {
      this.#isBaseCounted = true;
      this.#limit += sizeOf(this.#base, Infinity);
    }
    if (values > this.#limit) throw new GrowthError(this.#most, path());
  }

  /** The values in one that stands in a further place, up to one too many. */
  sizeOf(value: unknown): number {
    return this.#limit === Infinity ? 1 : sizeOf(value, this.#limit - this.used + 1);
  }
}

function sizeOf(value: unknown, most: number): number {
  if (!isContainer(value)) return 1;
  let size = 1;
  for (const key of Object.keys(value)) {
    if (size >= most) break;
    size += sizeOf(value[key], most - size);
  }
  return size;
}
