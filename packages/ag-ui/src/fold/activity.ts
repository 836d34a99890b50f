// Activities: structured progress among the messages. A snapshot creates or replaces one in its
// place, a delta patches its content.

import { equal, isRecord } from "@opstate/core/json";
import type { ActivityDeltaEvent, ActivitySnapshotEvent } from "@ag-ui/core";
import { applyPatch, type Patch } from "@opstate/core/json-patch";
import type { ActivityChatMessage, ChatState } from "../state/chat-state.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";
import { type Fold, mergeMetadata, noSuchMessage, ownerField, withMessage, wrongMessage } from "./fold.ts";
import { failure, withConflict, withoutConflicts } from "./state.ts";

/**
 * Creates an activity, or replaces the message that has its id. With `replace: false` an existing
 * activity stays, and only its metadata is merged.
 */
export function applyActivitySnapshot(fold: Fold, state: ChatState, event: ActivitySnapshotEvent): ChatState {
  const { messageId, activityType } = event;
  const position = fold.lists.find(state.messages, messageId);
  const existing = state.messages[position];
  if (existing !== undefined && event.replace === false) {
    if (existing.role !== "activity") return wrongMessage(state, event.type, existing);
    return withMessage(fold, state, position, mergeMetadata(existing, event.metadata));
  }
  const before = existing?.role === "activity" ? existing : undefined;
  const kept = before?.metadata === undefined ? {} : { metadata: before.metadata };
  const content: Readonly<Record<string, unknown>> = shareFromEnds(before?.content, event.content);
  const made: ActivityChatMessage = {
    id: messageId,
    role: "activity",
    status: "complete",
    activityType,
    content,
    ...ownerField(event),
    ...kept,
  };
  const message = shareFromEnds<ActivityChatMessage>(before, mergeMetadata(made, event.metadata));
  if (existing === undefined) return { ...state, messages: fold.lists.append(state.messages, message) };
  const conflicts = withoutConflicts(state.conflicts, messageId);
  const cleared = conflicts === state.conflicts ? state : { ...state, conflicts };
  return withMessage(fold, cleared, position, message);
}

export function applyActivityDelta(fold: Fold, state: ChatState, event: ActivityDeltaEvent): ChatState {
  const { messageId, activityType } = event;
  const position = fold.lists.find(state.messages, messageId);
  const existing = state.messages[position];
  if (existing === undefined) return noSuchMessage(state, event.type, messageId);
  if (existing.role !== "activity") return wrongMessage(state, event.type, existing);
  // Metadata is merged even if the patch fails.
  const message = mergeMetadata(existing, event.metadata);
  const next = withMessage(fold, state, position, message);
  const patches: Patch = event.patch;
  const result = applyPatch(message.content, patches, { inverse: false });
  const found = { patches, state: message.content, messageId };
  if (!result.ok) return withConflict(next, { ...found, ...failure(result.error) });
  const content = equal(message.content, result.document, Infinity) ? message.content : result.document;
  if (!isRecord(content)) {
    const reason = "The content of an activity is an object; the patch would make it something else";
    return withConflict(next, { ...found, index: -1, code: "invalid_state", reason });
  }
  if (content === message.content && activityType === message.activityType) return next;
  return withMessage(fold, next, position, { ...message, activityType, content });
}
