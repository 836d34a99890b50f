// A definition as its author wrote it, without its type parameters. `StateSpec` is the typed form.

import type { $ZodType } from "zod/v4/core";
import type { Actor, ActorKind } from "../engine/actor.ts";
import type { DraftEngine } from "../engine/draft/draft.ts";
import type { JsonLimits } from "../engine/limits/limits.ts";
import type { ApplyContextLike } from "../engine/model.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { WrittenMigrate } from "./migrations.ts";

export interface Written {
  readonly name: string;
  readonly version?: number;
  readonly schema: $ZodType;
  readonly initial: unknown;
  readonly derive?: Readonly<Record<string, unknown>>;
  readonly operations: Readonly<Record<string, WrittenOperation>>;
  readonly replace?: { readonly allow?: readonly ActorKind[]; readonly approve?: readonly ActorKind[] };
  readonly patches?: boolean;
  readonly migrate?: WrittenMigrate;
  readonly drafts?: DraftEngine;
  readonly freeze?: "development" | boolean;
  readonly limits?: {
    readonly operation?: Partial<JsonLimits>;
    readonly state?: Partial<JsonLimits>;
    readonly batch?: number;
  };
  readonly onFailure?: (error: unknown, operation: AnyOperation) => void;
}

interface WrittenOperation {
  readonly description?: string;
  readonly input: $ZodType;
  readonly allow?: readonly ActorKind[];
  readonly approve?: readonly ActorKind[];
  readonly retarget?: boolean;
  // Methods, because they are bivariant: a function of the author's exact types is assignable.
  narrow?(state: unknown, actor: Actor | undefined): unknown;
  describe?(input: unknown, before: unknown): unknown;
  once?(input: unknown): unknown;
  apply(draft: unknown, input: unknown, context: ApplyContextLike): unknown;
}
