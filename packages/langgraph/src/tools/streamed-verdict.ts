// What tools and `operationsNode` write to LangGraph's custom stream, in the middle of a superstep.

import type { Actor, Commit, Rejection } from "@opstate/core";
import type { Patch } from "@opstate/core/json-patch";

/**
 * One verdict, as it is streamed with `streamMode: "custom"`: of a thread, or of the field that
 * `operationsNode` writes to. A tool that runs again after an interrupt sends the same event again:
 * recognize a commit by its version.
 */
export type StreamedVerdict =
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

/** @deprecated Use `StreamedVerdict`. */
export type OpstateEvent = StreamedVerdict;

/** A tool call on a field. `version` is that of a `snapshotField`; a plain field has none. */
export interface FieldCall {
  readonly field: string;
  readonly operation: unknown;
  readonly actor: Actor;
  readonly id: string;
  readonly toolCallId: string;
  readonly version?: number;
}
