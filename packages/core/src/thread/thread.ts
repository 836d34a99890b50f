// A thread: one shared state with its log, and the authority over its order.

import type { Actor } from "../engine/actor.ts";
import type { Readable } from "../readable.ts";
import type { AnyDefinition, OperationOf, StateOf, Taken, UpdateOf } from "../definition/definition.ts";
import type { Commit, Refusal, Verdict } from "./commit.ts";

/** Who submits, and under which id. Without `id` the authority mints one. */
export interface DispatchOptions {
  readonly actor: Actor;
  readonly id?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
}

/** An entry of the history: a commit, or (when asked for) a refusal. */
export type HistoryEntry<Operation = { readonly type: string }> =
  | { readonly kind: "commit"; readonly commit: Commit<Operation> }
  | { readonly kind: "refusal"; readonly refusal: Refusal };

/** The authority of one shared state. `getState` is the newest confirmed state. */
export interface Thread<D extends AnyDefinition = AnyDefinition> extends Readable<StateOf<D>> {
  readonly threadId: string;
  readonly definition: D;
  readonly version: number;
  /** Submits an update; resolves when its verdict is durable. Submissions are taken in call order. */
  dispatch(update: UpdateOf<D> | { readonly type: string }, options: DispatchOptions): Promise<Verdict<Taken<OperationOf<D>>>>;
  /** Commits after a version in ascending order; with `rejections`, the newest refusals among them by time. */
  history(range?: {
    readonly after?: number;
    readonly limit?: number;
    readonly rejections?: boolean;
  }): Promise<readonly HistoryEntry<Taken<OperationOf<D>>>[]>;
  stateAt(version: number): Promise<StateOf<D>>;
  /** What others than `for` did after version `since`, human edits first, in sentences within `budget` tokens (about 4 characters each). Empty when nothing. */
  digest(options: { readonly since: number; readonly for: Actor; readonly budget?: number }): Promise<string>;
  /** Called after each durable commit, in version order. Returns the function that ends it. */
  onCommit(listener: (commit: Commit<Taken<OperationOf<D>>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
  close(): Promise<void>;
}
