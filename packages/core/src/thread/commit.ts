// What a thread answers to a submission, and what its log keeps of it.

import type { Actor } from "../engine/actor.ts";
import type { AnyOperation } from "../engine/operation.ts";
import type { Patch } from "../patch/index.ts";
import type { Rejection } from "../engine/rejection/rejection.ts";
import type { SubmittedThing } from "./things/submitted-things.ts";

/** A state with the authority's version of it: 0 is the initial state, each commit adds one. */
export interface Snapshot<State = unknown> {
  readonly version: number;
  readonly state: State;
}

/**
 * A request for an update: the update, and the id under which it has exactly one effect for its
 * actor.
 */
export interface Submission<Update = unknown> {
  readonly id: string;
  readonly operation: Update;
  readonly runId?: string;
  readonly toolCallId?: string;
  /** Accept it at exactly this version only; at another one it gets `conflict`. */
  readonly expectedVersion?: number;
  /**
   * The version that its sender saw. At a newer one it may change the same things only: those of
   * `things`, else those that it would have changed at that version. When it would change another,
   * it gets `conflict`, reason `other_thing`.
   */
  readonly basedOn?: number;
  /** The things that it may change, at most 1,000. */
  readonly things?: readonly SubmittedThing[];
  /** When it was made, by its sender's clock: see `DispatchOptions`. */
  readonly madeAt?: number;
}

/**
 * One accepted update that changed the state. Plain JSON; `at` is ISO 8601 in UTC. It shares
 * objects with the state: read it, do not write to it.
 */
export interface Commit<Operation = AnyOperation> {
  readonly version: number;
  readonly id: string;
  readonly operation: Operation;
  /**
   * The operation in a sentence, where its `describe` gave one; of a proposal, an approval and a
   * merge, the operation inside. Users' own text in it is not marked. `sentenceOf` of
   * `@opstate/core/thread` words any commit.
   */
  readonly sentence?: string;
  readonly actor: Actor;
  readonly at: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly patches: Patch;
  readonly inverse: Patch;
  readonly definitionVersion: number;
}

/**
 * One refused update, outside the version order. `version` is the state's version that refused it.
 * `operation` is cut when it is large.
 */
export interface Refusal {
  readonly id: string;
  readonly operation: unknown;
  readonly actor: Actor;
  readonly at: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly version: number;
  readonly rejection: Rejection;
  readonly attempt: number;
}

/**
 * The answer to a submission. `commit` is absent when the update changed nothing, or when
 * compaction removed it. `attempt` counts equal refusals: same actor, operation, code, reason.
 */
export type Verdict<Operation = AnyOperation> =
  | { readonly accepted: true; readonly version: number; readonly commit?: Commit<Operation> }
  | { readonly accepted: false; readonly version: number; readonly rejection: Rejection; readonly attempt: number };
