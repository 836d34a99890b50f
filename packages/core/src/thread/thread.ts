// A thread: one shared state with its log, and the authority over its order.

import type { Actor } from "../engine/actor.ts";
import type { Readable } from "../readable.ts";
import type { AnyDefinition, OperationOf, StateOf, Taken, UpdateOf } from "../definition/definition.ts";
import type { Commit, Refusal, Verdict } from "./commit.ts";
import type { Explanation } from "./explain.ts";
import type { UndoTarget } from "./undo-target.ts";

/** Who submits, and under which id. Without `id` the authority mints one. */
export interface DispatchOptions {
  readonly actor: Actor;
  readonly id?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
}

/** A right that only the caller's own check can give: to take back what others did, or to approve what they propose. */
export type Right = "undo" | "approve";

export interface UndoOptions extends DispatchOptions {
  /** What to do when later operations no longer hold; default "refuse". */
  readonly onDependent?: "refuse" | "drop";
  /** Whether the actor may take back what others did; its own work it always may. Default: every kind but agents and webhooks. */
  readonly allows?: (right: Right) => boolean;
}

export interface ProposeOptions extends DispatchOptions {
  /** ISO 8601: from then on it cannot be approved. */
  readonly expiresAt?: string;
}

export interface DecideOptions extends DispatchOptions {
  /** Whether the actor may approve; the proposer never may. Default: users and the system. */
  readonly allows?: (right: Right) => boolean;
}

/** An entry of the history: a commit, or (when asked for) a refusal. */
export type HistoryEntry<Operation = { readonly type: string }> =
  | { readonly kind: "commit"; readonly commit: Commit<Operation> }
  | { readonly kind: "refusal"; readonly refusal: Refusal };

/** The authority of one shared state. `getState` is the newest confirmed state. */
export interface Thread<D extends AnyDefinition = AnyDefinition> extends Readable<StateOf<D>> {
  readonly threadId: string;
  readonly definition: D;
  /** Which of the threads that had this name in the log it is: deleted and created again, it is another one. */
  readonly incarnation: string;
  readonly version: number;
  /** Submits an update; resolves when its verdict is durable. Submissions are taken in call order. */
  dispatch(update: UpdateOf<D> | { readonly type: string }, options: DispatchOptions): Promise<Verdict<Taken<OperationOf<D>>>>;
  /**
   * Commits after a version in ascending order; with `rejections`, the newest refusals among them by time; at most `limit` entries in all. A
   * page that ends with a commit may be followed by another one, after that commit's version; any other page is the last.
   */
  history(range?: {
    readonly after?: number;
    readonly limit?: number;
    readonly rejections?: boolean;
  }): Promise<readonly HistoryEntry<Taken<OperationOf<D>>>[]>;
  stateAt(version: number): Promise<StateOf<D>>;
  /**
   * Who wrote what stands at a JSON Pointer: the commit that last touched it, or anything in it. An item is followed through its list, and
   * what is inside it into another list as well, unless a list was replaced as a whole on the way. Undefined when it stands as the thread began, or when compaction took the commit. Throws an
   * OpstateError (`invalid_pointer`).
   */
  explain(pointer: string): Promise<Explanation<Taken<OperationOf<D>>> | undefined>;
  /**
   * Takes back some commits and keeps the rest: the state becomes what it would be had they not been. Later operations that need them make
   * it a `conflict` that names them; with `onDependent: "drop"` they are left out too, and the commit's operation names them. It is one
   * submission and one commit (`{ type: "$undo", ids, dropped?, versions }`); to redo, undo that commit's id.
   */
  undo(target: UndoTarget, options: UndoOptions): Promise<Verdict<Taken<OperationOf<D>>>>;
  /** What others than `for` did after version `since`, human edits first, in sentences within `budget` tokens (about 4 characters each). Empty when nothing. */
  digest(options: { readonly since: number; readonly for: Actor; readonly budget?: number }): Promise<string>;
  /**
   * Puts an operation before others instead of doing it: a commit without patches, `{ type: "$propose", operation, basedOn, previous }`, whose
   * id is the proposal's. The proposer must be allowed to use the operation; that it needs approval is no obstacle.
   */
  propose(update: UpdateOf<D> | { readonly type: string }, options: ProposeOptions): Promise<Verdict<Taken<OperationOf<D>>>>;
  /** Carries a proposal out as its proposer's. `conflict` when what it changes is no longer as it was, or when it is decided or expired. */
  approve(proposal: string, options: DecideOptions): Promise<Verdict<Taken<OperationOf<D>>>>;
  /** Ends a proposal: for who may approve, and for its proposer. */
  decline(proposal: string, options: DecideOptions & { readonly reason?: string }): Promise<Verdict<Taken<OperationOf<D>>>>;
  /**
   * Called after each durable commit, in version order. Returns the function that ends it. A listener that throws stops neither the others
   * nor the thread: its error goes to `onError` of openThread, and without one it is an unhandled rejection, which ends a Node process.
   */
  onCommit(listener: (commit: Commit<Taken<OperationOf<D>>>) => void): () => void;
  onRejection(listener: (refusal: Refusal) => void): () => void;
  close(): Promise<void>;
}
