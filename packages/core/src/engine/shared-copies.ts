// The large objects that operations in a row edit, copied once or twice for all of them instead of
// once for each. So a list of 256 operations on a record of 20,000 keys costs two copies of it.
//
//   state 0 ── a ──> state 1 ── b ──> state 2 ── c ──> state 3
//     |                 `-- shares its record with state 3, so it is not what it was any more
//     `-- is never written to
//
// Invariant: unlike the parts of a `$batch`, each operation may be refused alone. What it wrote is
// kept when it was accepted, and not before.

import type { Edited } from "./draft/draft.ts";
import type { Change } from "./draft/touched.ts";
import { WorkingCopies } from "./draft/working-copies.ts";

export class SharedCopies extends WorkingCopies {
  #edited: readonly [Change | undefined, Pick<Edited, "patches" | "inverse">] | undefined;

  override endPart(root: Change | undefined, edited: Pick<Edited, "patches" | "inverse">): void {
    this.#edited = [root, edited];
  }

  /** The operation was accepted. */
  accept(): void {
    if (this.#edited !== undefined) super.endPart(...this.#edited);
    this.#edited = undefined;
  }

  /** It was refused: the state stays what it was before. */
  refuse(): void {
    super.endPart(undefined, { patches: [], inverse: [] });
    this.#edited = undefined;
  }
}
