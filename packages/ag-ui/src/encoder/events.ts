// What happens in a thread, each thing as an AG-UI event.
//
// `metadata.opstate` of a STATE_SNAPSHOT is `{ threadId, incarnation, version }`, of a STATE_DELTA
// `{ version, after }`: the delta leads from version `after` to `version`. A client that is at
// another version has missed something; see docs/decisions/ag-ui-versions.md.

import { type AGUIEvent, EventType, type JsonPatchOperation } from "@ag-ui/core";
import type { Commit, Refusal, Thread } from "@opstate/core";
import { deltaGuards } from "./delta-guards.ts";

/** The names of the CUSTOM events that `commitsToEvents` sends. */
export const COMMIT_EVENT = "opstate.commit";
export const REJECTION_EVENT = "opstate.rejection";
export const PROPOSAL_EVENT = "opstate.proposal";

/** Longer operations are named by their type alone: the delta says what they did. */
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
    // The protocol's type is mutable where ours is not; nobody writes to it.
    delta: [...deltaGuards(before, patches), ...patches] as JsonPatchOperation[],
    metadata: { opstate: { version, after: version - 1 } },
  };
}

/** Who did what: the commit without its patches, which the delta has. */
export function commitEvent({ version, id, operation, actor, at, runId, toolCallId }: Commit): AGUIEvent {
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
      ...(runId !== undefined && { runId }),
      ...(toolCallId !== undefined && { toolCallId }),
    },
  };
}

export function rejectionEvent(refusal: Refusal): AGUIEvent {
  return { type: EventType.CUSTOM, name: REJECTION_EVENT, value: refusal };
}
