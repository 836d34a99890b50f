// The commits, refusals and snapshots of a thread as AG-UI events.
//
// `metadata.opstate` of a STATE_SNAPSHOT is `{ threadId, incarnation, version }`. That of a
// STATE_DELTA is `{ version, after }`: the delta leads from version `after` to `version`. A client
// at another version has missed a delta; see docs/decisions/ag-ui-versions.md.

import { type AGUIEvent, EventType, type JsonPatchOperation } from "@ag-ui/core";
import { type Commit, defined, type Refusal, type Thread } from "@opstate/core";
import { deltaGuards } from "./delta-guards.ts";

/** The names of the CUSTOM events that `commitsToEvents` sends. */
export const COMMIT_EVENT = "opstate.commit";
export const REJECTION_EVENT = "opstate.rejection";
export const PROPOSAL_EVENT = "opstate.proposal";

/**
 * The longest operation that is sent whole, in characters of JSON. Of a longer one, only the type.
 */
const OPERATION_LIMIT = 2_000;

export function snapshotEvent({ threadId, incarnation, version, getState }: Thread): AGUIEvent {
  return {
    type: EventType.STATE_SNAPSHOT,
    snapshot: getState(),
    metadata: { opstate: { threadId, incarnation, version } },
  };
}

/** `before` is the state that the commit was made on. */
export function deltaEvent({ version, patches }: Commit, before: unknown): AGUIEvent {
  return {
    type: EventType.STATE_DELTA,
    // The protocol's type is mutable where ours is readonly. No code writes to it.
    delta: [...deltaGuards(before, patches), ...patches] as JsonPatchOperation[],
    metadata: { opstate: { version, after: version - 1 } },
  };
}

/** The commit without its patches, which are in the delta. */
export function commitEvent({ version, id, operation, sentence, actor, at, runId, toolCallId }: Commit): AGUIEvent {
  const { length } = JSON.stringify(operation);
  return {
    type: EventType.CUSTOM,
    name: COMMIT_EVENT,
    value: {
      version,
      id,
      operation: length > OPERATION_LIMIT ? { type: operation.type, cut: { length } } : operation,
      actor,
      at,
      ...defined({ sentence, runId, toolCallId }),
    },
  };
}

export function rejectionEvent(refusal: Refusal): AGUIEvent {
  return { type: EventType.CUSTOM, name: REJECTION_EVENT, value: refusal };
}
