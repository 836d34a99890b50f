// A definition made ready for the engine: compiled once by `defineState`, read by every transition.

import type { $ZodType } from "zod/v4/core";
import type { Actor, ActorKind } from "./actor.ts";
import type { DeriveRule } from "./derive.ts";
import type { DetachedUpdates } from "./detached-updates.ts";
import type { DraftEngine } from "./draft/draft.ts";
import type { Freezing } from "./draft/freeze.ts";
import type { FrozenParts } from "./draft/frozen-parts.ts";
import type { KnownStates } from "./known.ts";
import type { JsonLimits } from "./limits/limits.ts";
import type { Permission } from "./permission.ts";
import type { Validator } from "./validation/validate.ts";
import type { AnyOperation } from "./operation.ts";

/** The context of `apply` as the engine gives it. */
export interface ApplyContextLike {
  readonly actor: Actor | undefined;
  readonly reject: (reason: string, message?: string, details?: unknown) => void;
  readonly id: (prefix?: string, key?: string) => string;
  readonly now: string;
}

export interface OperationModel {
  readonly type: string;
  readonly description: string | undefined;
  readonly input: $ZodType;
  readonly parse: Validator;
  readonly allow: readonly ActorKind[] | undefined;
  readonly approve: readonly ActorKind[];
  /** Whether it may touch other things when it is done again than it did at first. */
  readonly retarget: boolean;
  /**
   * The values of each input property that are legal now, or false for none. For tools only: the
   * reducer does not read it.
   */
  readonly narrow: ((state: unknown, actor: Actor | undefined) => unknown) | undefined;
  /** One use of it in a sentence, for the state before. The reducer does not read it. */
  readonly describe: ((input: unknown, before: unknown) => unknown) | undefined;
  /** The key by which an agent's calls are one operation. For agents only. */
  readonly once: ((input: unknown) => unknown) | undefined;
  readonly apply: (draft: unknown, input: unknown, context: ApplyContextLike) => unknown;
}

export interface Model {
  readonly name: string;
  readonly version: number;
  /** Whether a rejection carries the message of an error that the author's code threw. */
  readonly development: boolean;
  readonly initial: object | null;
  /**
   * The state's schema, and the same with derived fields optional: what a replacement is parsed
   * with first.
   */
  readonly state: Validator;
  readonly loose: Validator;
  readonly looseSchema: $ZodType;
  readonly operations: ReadonlyMap<string, OperationModel>;
  /** Deepest container first. */
  readonly derive: readonly DeriveRule[];
  readonly replace: Permission;
  readonly patches: boolean;
  readonly drafts: DraftEngine;
  readonly limits: {
    readonly operation: JsonLimits;
    readonly state: JsonLimits;
    readonly batch: number;
    /** Levels that an edit may lead to. */
    readonly depth: number;
  };
  readonly freeze: Freezing;
  /** What is known of the frozen parts of its states. */
  readonly frozen: FrozenParts;
  readonly known: KnownStates;
  /** The updates that were copied when they came in. */
  readonly detached: DetachedUpdates;
  /** What an older version's state is now. */
  readonly migrate: ((state: unknown, fromVersion: number) => unknown) | undefined;
  readonly onFailure: (error: unknown, operation: AnyOperation) => void;
}
