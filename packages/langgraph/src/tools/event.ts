// What the tools write to LangGraph's custom stream, in the middle of a superstep.

import type { Actor, Commit, Rejection } from "@opstate/core";
import type { Patch } from "@opstate/core/json-patch";

/**
 * One verdict on its way to whoever streams the graph with `streamMode: "custom"`: of a thread, or
 * of the field that `operationsNode` writes to. A tool that runs again after an interrupt sends the
 * same event again: a commit is known by its version.
 */
export type OpstateEvent =
  | { readonly type: "opstate.commit"; readonly threadId: string; readonly commit: Commit }
  | {
      readonly type: "opstate.rejection";
      readonly threadId: string;
      readonly operation: unknown;
      readonly actor: Actor;
      readonly id?: string;
      readonly runId?: string;
      readonly toolCallId?: string;
      readonly version: number;
      readonly rejection: Rejection;
      readonly attempt: number;
    }
  | (FieldCall & { readonly type: "opstate.field.change"; readonly patches: Patch })
  | (FieldCall & { readonly type: "opstate.field.rejection"; readonly rejection: Rejection });

/** `version` is the one that a `snapshotField` counts; a plain field counts none. */
export interface FieldCall {
  readonly field: string;
  readonly operation: unknown;
  readonly actor: Actor;
  readonly id: string;
  readonly toolCallId: string;
  readonly version?: number;
}
