// One debate in this page: its conversation, and what a person can do with it.

import { defined } from "@opstate/core";
import type { Message } from "@ag-ui/core";
import { type ChatMessage, ChatSession, type ChatState, initialChatState } from "@opstate/ag-ui";
import { useChat } from "@opstate/react";
import type { DebateView } from "../../debate/state.ts";
import type { Debate } from "../../server/debates.ts";
import type { Api, Topic } from "../api.ts";

export type DebateChat = ChatState<Partial<DebateView>>;
export type DebateSession = ChatSession<DebateChat>;

/** A debate that this page starts: the run has begun. */
export function startDebate(api: Api, id: string, topic: Topic): DebateSession {
  const state: Partial<DebateView> = { ...topic, turns: [], facts: [] };
  const session = createDebateSession(api, id, initialChatState({ state }), topic);
  void session.send(topic.topic);
  return session;
}

/** A debate that the server has. */
export function storedDebate(api: Api, { id, state, messages, interrupts }: Debate): DebateSession {
  const chat = initialChatState<Partial<DebateView>>({
    state,
    messages: messages.flatMap(complete),
  });
  return createDebateSession(api, id, { ...chat, interrupts });
}

function createDebateSession(api: Api, id: string, initial: DebateChat, topic?: Topic): DebateSession {
  return new ChatSession<DebateChat>({
    threadId: id,
    transport: api.transport(id, topic),
    initial,
    sendState: false,
  });
}

function complete(message: Message): ChatMessage[] {
  if ((message.role !== "assistant" && message.role !== "user") || typeof message.content !== "string") return [];
  const { id, role, content, name } = message;
  return [{ id, role, content, status: "complete", ...defined({ name }) }];
}

/** The conversation as it stands, and the person's actions. */
export function useDebate(session: DebateSession) {
  const { send, resume, abort, ...chat } = useChat(session);
  // A failed run is in the conversation's state. A rejection means a second answer to one question,
  // which can be ignored.
  const ignore = () => {};
  return {
    chat,
    /** Tries again to start it. */
    begin: () => void send(chat.state.topic ?? "").catch(ignore),
    /** Answers "the next round is ready". */
    decide(payload: { readonly decision: "continue"; readonly word?: string } | { readonly decision: "stop" }) {
      resume(chat.interrupts.map(({ id: interruptId }) => ({ interruptId, payload }))).catch(ignore);
    },
    /** Continues an interrupted round. */
    goOn: () => void resume([]).catch(ignore),
    /** Interrupts the running round. */
    breakOff: abort,
  };
}
