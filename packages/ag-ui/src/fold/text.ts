// Messages that stream as text: what the agent says, and its reasoning. Their content is visible
// while it streams; END completes the message.

import {
  EventType,
  type ReasoningMessageContentEvent,
  type ReasoningMessageEndEvent,
  type ReasoningMessageStartEvent,
  type TextMessageContentEvent,
  type TextMessageEndEvent,
  type TextMessageStartEvent,
} from "@ag-ui/core";
import type { ActivityChatMessage, ChatMessage, ChatState } from "../state/chat-state.ts";
import { type Fold, mergeMetadata, noSuchMessage, ownerField, withMessage, wrongMessage } from "./fold.ts";
import { attachResult } from "./tool-results.ts";

type StartEvent = TextMessageStartEvent | ReasoningMessageStartEvent;
type ContentEvent = TextMessageContentEvent | ReasoningMessageContentEvent;
type EndEvent = TextMessageEndEvent | ReasoningMessageEndEvent;
type Writable = Exclude<ChatMessage, ActivityChatMessage>;

/** Opens a message, or opens an existing one again: later text is appended to it. */
export function startText(fold: Fold, state: ChatState, event: StartEvent): ChatState {
  const position = fold.lists.find(state.messages, event.messageId);
  const existing = state.messages[position];
  if (existing === undefined) {
    const message = mergeMetadata(newMessage(event), event.metadata);
    return { ...state, messages: fold.lists.append(state.messages, message) };
  }
  if (existing.role === "activity") return wrongMessage(state, event.type, existing);
  return withMessage(fold, state, position, mergeMetadata(streaming(existing), event.metadata));
}

export function appendText(fold: Fold, state: ChatState, event: ContentEvent): ChatState {
  const position = fold.lists.find(state.messages, event.messageId);
  const existing = state.messages[position];
  if (existing === undefined) return noSuchMessage(state, event.type, event.messageId);
  if (existing.role === "activity") return wrongMessage(state, event.type, existing);
  const before = typeof existing.content === "string" ? existing.content : "";
  const content = before + event.delta;
  const message: Writable = existing.content === content ? existing : { ...existing, content };
  const next = withMessage(fold, state, position, mergeMetadata(message, event.metadata));
  return existing.role === "tool" ? attachResult(fold, next, position) : next;
}

export function endText(fold: Fold, state: ChatState, event: EndEvent): ChatState {
  const position = fold.lists.find(state.messages, event.messageId);
  const existing = state.messages[position];
  if (existing === undefined) return noSuchMessage(state, event.type, event.messageId);
  if (existing.role === "activity") return wrongMessage(state, event.type, existing);
  const message: Writable = existing.status === "complete" ? existing : { ...existing, status: "complete" };
  return withMessage(fold, state, position, mergeMetadata(message, event.metadata));
}

function newMessage(event: StartEvent): ChatMessage {
  const fields = { id: event.messageId, status: "streaming", content: "", ...ownerField(event) } as const;
  if (event.type === EventType.REASONING_MESSAGE_START) return { ...fields, role: "reasoning" };
  return { ...fields, role: event.role ?? "assistant", ...(event.name !== undefined && { name: event.name }) };
}

function streaming(message: Writable): Writable {
  return message.status === "streaming" ? message : { ...message, status: "streaming" };
}
