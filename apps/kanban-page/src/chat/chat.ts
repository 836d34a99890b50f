// The conversation with the agent: a ChatSession, and what the page shows of it.
//
// - The conversation is kept in the tab's session storage, and by the agent under the
//   conversation's id. A reload keeps it; another tab has its own.
// - A question is stored as soon as it is sent.

import {
  ChatSession,
  chatReducer,
  type ChatState,
  composeReducers,
  initialChatState,
  type SavedChat,
} from "@opstate/ag-ui";
import { createStore } from "zustand/vanilla";
import { type BoardAgentOptions, boardAgent } from "./board-agent.ts";
import { cardsAtWork, textOf, transcript, type TranscriptItem } from "./transcript.ts";

export interface Chat {
  readonly items: readonly TranscriptItem[];
  /** The cards that the agent is about to touch. */
  readonly cardsAtWork: readonly string[];
  readonly running: boolean;
  /** Why the last run did not end well, in words. */
  readonly problem: string | undefined;
  /** The person's question of each run, for the log. */
  readonly questions: Readonly<Record<string, string>>;
}

export interface ChatOptions extends BoardAgentOptions {
  /** Where in this tab's storage the conversation is. */
  readonly storageKey: string;
}

type Conversation = ChatState & { readonly questions: Readonly<Record<string, string>> };

export function createChat({ storageKey, ...agent }: ChatOptions) {
  const session = openSession(storageKey, agent);
  const store = createStore<Chat>()(() => viewOf(session.getState()));
  let frame = 0;

  function flush(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    store.setState(viewOf(session.getState()), true);
  }

  session.subscribe(({ phase, questions }, previous) => {
    // A reload in the middle of a run keeps its question.
    if (questions !== previous.questions) saveChat(storageKey, session.toJSON());
    // Events come faster than frames: one update for each frame is enough.
    if (phase !== previous.phase) flush();
    else if (frame === 0) frame = requestAnimationFrame(flush);
  });

  return Object.assign(store, {
    async send(text: string): Promise<void> {
      if (session.getState().phase === "running") return;
      await session.send(text);
    },
    stop: () => session.abort(),
    close: () => session.abort(),
  });
}

function openSession(storageKey: string, agent: BoardAgentOptions): ChatSession<Conversation> {
  const options = {
    transport: boardAgent(agent),
    reducer: composeReducers<Conversation>(chatReducer, rememberQuestion, withoutInterrupts),
    initial: { ...initialChatState(), questions: {} },
    sendState: false,
    storage: {
      load: () => undefined,
      save: (chat: SavedChat) => saveChat(storageKey, chat),
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

function saveChat(storageKey: string, chat: SavedChat): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(chat));
  } catch {
    // The storage is full or forbidden: the conversation lasts as long as the page.
  }
}

function rememberQuestion(state: Conversation, event: unknown): Conversation {
  const { run, messages, questions } = state;
  const question = messages.findLast(({ role }) => role === "user");
  if (!isEvent(event, "RUN_STARTED") || run === undefined || question?.role !== "user") return state;
  return { ...state, questions: { ...questions, [run.runId]: textOf(question.content) } };
}

/** Proposals are decided in the thread, not by an answer to the run. */
const withoutInterrupts = (state: Conversation): Conversation =>
  state.interrupts.length > 0 ? { ...state, interrupts: [] } : state;

const isEvent = (event: unknown, type: string): boolean =>
  typeof event === "object" && event !== null && "type" in event && event.type === type;

function viewOf({ messages, phase, error, questions }: Conversation): Chat {
  const items = transcript(messages);
  const running = phase === "running";
  return {
    items,
    cardsAtWork: running ? cardsAtWork(items) : [],
    running,
    problem: error && problemOf(error),
    questions,
  };
}

const problemOf = ({ kind, message }: NonNullable<ChatState["error"]>): string =>
  kind === "truncated"
    ? "The answer broke off: the connection was lost. What the agent did until then is on the board."
    : message;
