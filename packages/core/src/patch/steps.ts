/**
 * A patch applied one operation at a time, for code that looks at the document in between. What an
 * operation changes is copied once for all of them: 1,000 edits of a record of 10,000 keys copy it
 * once, not 1,000 times.
 */
import { Application } from "./apply.ts";
import { decode } from "./decode.ts";
import { DEFAULT_LIMITS, type PatchLimits, type PatchOperation } from "./operation.ts";

export class Steps {
  readonly #application: Application;
  readonly #limits: PatchLimits;
  readonly #values: { left: number };

  constructor(document: unknown, limits: Partial<PatchLimits>) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#values = { left: this.#limits.size };
    this.#application = new Application(document, this.#limits, undefined);
    this.#application.tree.expectMore();
  }

  /** As it is now: the next operation may write to what those before it copied. */
  get document(): unknown {
    return this.#application.tree.root;
  }

  /** Throws, and changes nothing, when the operation does not apply. */
  take(operation: PatchOperation): void {
    this.#application.take(decode(operation, this.#limits, this.#values));
  }

  /** Leaves a part of the document as it is now: the next write to it copies it. */
  keep(part: unknown): void {
    this.#application.tree.disown(part);
  }
}
