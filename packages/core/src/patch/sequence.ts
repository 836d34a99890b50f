// Patches that follow one another on one document, of which only the end counts: what several of
// them change is copied once, and not by each.

import { Application } from "./apply.ts";
import { decode } from "./decode.ts";
import type { Patch, PatchLimits } from "./operation.ts";
import { Refusal } from "./refusal.ts";

export class PatchSequence {
  readonly #application: Application;
  readonly #limits: PatchLimits;

  /** The document is not written to. */
  constructor(document: unknown, limits: PatchLimits) {
    this.#application = new Application(document, limits, undefined);
    this.#application.tree.expectMore();
    this.#limits = limits;
  }

  /** With all patches so far. It changes with the next one. */
  get document(): unknown {
    return this.#application.tree.root;
  }

  /** Why the patch does not apply: then the document is of no use any more. */
  take(patch: Patch): Refusal | undefined {
    if (!Array.isArray(patch)) return new Refusal("invalid_operation", "a patch is an array of operations");
    const values = { left: this.#limits.size };
    try {
      for (const operation of patch) this.#application.take(decode(operation, this.#limits, values));
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }
}
