// How an operation edits a state: its code changes drafts of an immutable JSON base, as if that
// could be changed, and what it did is recorded as exact edits.
//
// `DraftEngine` is the port. `recordingDrafts` is the engine's own, `@opstate/core/immer` another;
// both keep these laws:
// 1. The base, and what an operation puts in, are never written to. What did not change is shared
//    with the base.
// 2. `applyPatch(base, patches)` equals the state and `applyPatch(state, inverse)` the base;
//    nothing changed gives the base itself, and no patches.
// 3. The state is plain JSON. Anything else is a `DraftError` that names the place, thrown by the
//    write that put it in or, where it is deeper inside the value that was put in, by the first
//    `derive` or `finish`. An object's `undefined` is an absent key.
// 4. After `derive`, `finish` or `discard` the drafts have ended: to touch one is an error.

import type { Patch } from "../../patch/index.ts";
import { ArrayNode } from "./array.ts";
import { Derivation, type FieldRule } from "./derive.ts";
import { DraftScope, type Node, type NodeKinds } from "./node.ts";
import { ObjectNode } from "./object.ts";
import { patchesOf } from "./patches/patches.ts";
import { finalize } from "./finalize.ts";
import { Selection } from "./selection.ts";
import type { Finalized, Key, Touched } from "./touched.ts";
import { freezeOne, type Freezing } from "./freeze.ts";
import { FrozenParts } from "./frozen-parts.ts";
import type { WorkingCopies } from "./working-copies.ts";

export { DraftError, ReservedKeyError } from "./error.ts";
export { GrowthError } from "./room.ts";
export type { FieldRule } from "./derive.ts";
export type { Touched } from "./touched.ts";

export interface DraftEngine {
  readonly name: string;
  begin(base: object, options: DraftOptions): Drafting;
}

export interface DraftOptions {
  /** How much of what the operation makes new is frozen. */
  readonly freeze: Freezing;
  /** What is known of the frozen parts of states like the base. */
  readonly frozen?: FrozenParts;
  /** The most values that it may put in, beside as many as the base has; any number by default. */
  readonly most?: number;
  /** Of a batch: the large objects that its parts before this one copied. */
  readonly copies?: WorkingCopies | undefined;
}

export interface Drafting {
  /** The base as the operation may edit it. */
  readonly draft: unknown;
  /**
   * Ends the drafts and recomputes one derived field in every touched container that the rule
   * names. Rules whose containers are deeper come first. `compute` gets the plain container, which
   * it must not change: a write to it throws or has no effect. Throws what `compute` throws.
   */
  derive(rule: FieldRule): void;
  /** Ends the drafts and gives the result. */
  finish(): Edited;
  /** Ends the drafts without a result. */
  discard(): void;
}

/**
 * What an edit did.
 *
 * A reader of the patches, one way or the other, can follow every container of the base that the
 * edit kept:
 * - It leaves its place by a `move` only, and what is edited in it is edited at its path of that
 *   moment. What is removed, added or replaced carries nothing that stays.
 * - A list that is replaced by a list (it was sorted, or that is shorter) is the same list. All
 *   that came into it or left it has moved before, and what was edited in it is edited before: an
 *   item is the one of the list before that it equals.
 */
export interface Edited {
  readonly state: object;
  readonly patches: Patch;
  readonly inverse: Patch;
  /** What differs from the base, as a tree of containers; undefined when nothing does. */
  readonly touched: Touched | undefined;
}

export const recordingDrafts: DraftEngine = {
  name: "recording",
  begin: (base, { freeze, frozen = new FrozenParts(freeze), copies, most }) =>
    new RecordingDrafting(new DraftScope(base, KINDS, frozen, { copies, most })),
};

function wrap(scope: DraftScope, base: object, isNew: boolean, parent: Node | undefined, key: Key): Node {
  return Array.isArray(base)
    ? new ArrayNode(scope, base, isNew, parent, key)
    : new ObjectNode(scope, base, isNew, parent, key);
}

const KINDS: NodeKinds = { wrap, select: (source) => new Selection(source as ArrayNode) };

class RecordingDrafting implements Drafting {
  readonly draft: unknown;
  readonly #scope: DraftScope;
  readonly #created: object[] | undefined;
  #finalized: Finalized | undefined;
  #derivation: Derivation | undefined;

  constructor(scope: DraftScope) {
    this.draft = scope.root.proxy;
    this.#scope = scope;
    this.#created = scope.frozen.freezing === false ? undefined : [];
  }

  derive(rule: FieldRule): void {
    this.#derivation ??= new Derivation(this.#finalize(), this.#scope.frozen, this.#scope.copies);
    this.#derivation.run(rule);
  }

  finish(): Edited {
    const { root, created, kept } = this.#finalize();
    const { patches, inverse } = patchesOf(root, kept);
    const { frozen, copies } = this.#scope;
    if (created !== undefined)
      for (const container of created) if (copies?.isOpen(container) !== true) freezeOne(container, frozen.freezing);
    copies?.endPart(root, { patches, inverse });
    // Equal values in new containers: as if nothing had been written.
    if (root === undefined || patches.length === 0)
      return { state: this.#scope.root.base, patches: [], inverse: [], touched: undefined };
    return { state: root.value, patches, inverse, touched: root };
  }

  discard(): void {
    this.#scope.revoked = true;
  }

  #finalize(): Finalized {
    this.#scope.revoked = true;
    return (this.#finalized ??= finalize(this.#scope, this.#created));
  }
}
