// The conversation with the agent. The page loads it when it needs it: see `late-conversation.ts`.
//
// - It is kept in the tab's session storage, and by the agent under the conversation's id. A reload
//   keeps it; another tab has its own.
// - A question is stored as soon as it is sent.
// - A run goes on while the page is reloaded, and is read again from its first event.

import { ChatSession, chatReducer, composeReducers, type SavedChat } from "@opstate/ag-ui";
import { type BoardAgentOptions, boardAgent } from "./board-agent.ts";
import { type ConversationState, NO_CONVERSATION, store } from "./stored-conversation.ts";
import { textOf } from "./transcript.ts";

export interface ConversationOptions extends BoardAgentOptions {
  /** Where in this tab's storage the conversation is. */
  readonly storageKey: string;
}

export function openConversation({ storageKey, ...agent }: ConversationOptions): ChatSession<ConversationState> {
  const session = load(storageKey, agent);
  session.subscribe(({ questions }, previous) => {
    // A reload in the middle of a run keeps its question.
    if (questions !== previous.questions) save(storageKey, session.toJSON());
  });
  return session;
}

function load(storageKey: string, agent: BoardAgentOptions): ChatSession<ConversationState> {
  const options = {
    transport: boardAgent(agent, {
      get: () => sessionStorage.getItem(`${storageKey}.board`),
      set: (threadId) => store(`${storageKey}.board`, threadId),
    }),
    reducer: composeReducers<ConversationState>(chatReducer, rememberQuestion, withoutInterrupts),
    initial: NO_CONVERSATION,
    sendState: false,
    storage: {
      load: () => undefined,
      save: (chat: SavedChat) => save(storageKey, chat),
      delete: () => sessionStorage.removeItem(storageKey),
    },
  };
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null");
    if (stored !== null) return ChatSession.fromJSON(stored, options);
  } catch {
    // There is no stored conversation, or no storage: a new one begins.
  }
  return new ChatSession(options);
}

function save(storageKey: string, chat: SavedChat): void {
  store(storageKey, JSON.stringify(chat));
}

function rememberQuestion(state: ConversationState, event: unknown): ConversationState {
  const { run, messages, questions } = state;
  const question = messages.findLast(({ role }) => role === "user");
  if (!isEvent(event, "RUN_STARTED") || run === undefined || question?.role !== "user") return state;
  return { ...state, questions: { ...questions, [run.runId]: textOf(question.content) } };
}

/** Proposals are decided in the thread, not by an answer to the run. */
const withoutInterrupts = (state: ConversationState): ConversationState =>
  state.interrupts.length > 0 ? { ...state, interrupts: [] } : state;

const isEvent = (event: unknown, type: string): boolean =>
  typeof event === "object" && event !== null && "type" in event && event.type === type;
