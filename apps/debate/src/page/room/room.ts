// One debate in this page: the session with its agents, and the person's actions.

import { defined } from "@opstate/core";
import type { Message } from "@ag-ui/core";
import { type ChatMessage, ChatSession, type ChatState, initialChatState } from "@opstate/ag-ui";
import type { DebateView } from "../../debate/state.ts";
import type { Debate } from "../../server/debates.ts";
import type { Api, Topic } from "../api.ts";

export type DebateChat = ChatState<Partial<DebateView>>;

export interface Room {
  readonly id: string;
  readonly session: ChatSession<DebateChat>;
  /** Starts the debate, or tries again to. */
  begin(): void;
  /** Answers "the next round is ready". */
  decide(answer: { readonly decision: "continue"; readonly word?: string } | { readonly decision: "stop" }): void;
  /** Continues an interrupted round. */
  goOn(): void;
  /** Interrupts the running round. */
  breakOff(): void;
}

/** A debate that this page starts. */
export function newRoom(api: Api, id: string, topic: Topic): Room {
  const state: Partial<DebateView> = { ...topic, turns: [], facts: [] };
  return room(api, id, initialChatState({ state }), topic);
}

/** A debate that the server has. */
export function storedRoom(api: Api, { id, state, messages, interrupts }: Debate): Room {
  const chat = initialChatState<Partial<DebateView>>({
    state,
    messages: messages.flatMap(complete),
  });
  return room(api, id, { ...chat, interrupts });
}

function complete(message: Message): ChatMessage[] {
  if ((message.role !== "assistant" && message.role !== "user") || typeof message.content !== "string") return [];
  const { id, role, content, name } = message;
  return [{ id, role, content, status: "complete", ...defined({ name }) }];
}

function room(api: Api, id: string, initial: DebateChat, topic?: Topic): Room {
  const session = new ChatSession<DebateChat>({
    threadId: id,
    transport: api.transport(id, topic),
    initial,
    sendState: false,
  });
  // A failed run is in the session's state. A rejection means a second answer to one question,
  // which can be ignored.
  const ignore = () => {};
  return {
    id,
    session,
    begin: () => void session.send(topic?.topic ?? "").catch(ignore),
    decide(payload) {
      const answers = session.getState().interrupts.map(({ id: interruptId }) => ({ interruptId, payload }));
      session.resume(answers).catch(ignore);
    },
    goOn: () => void session.resume([]).catch(ignore),
    breakOff: () => session.abort(),
  };
}
