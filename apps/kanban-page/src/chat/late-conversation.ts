// The conversation as the page holds it from the start. Its code is loaded beside the board: at
// once where a conversation is stored, else when `warmUp` is called or something is sent.
//
// - Until then the stored messages are shown, so that a reload shows them with its first paint.
// - What is sent meanwhile waits for the code, in its order; `abort` drops it.
// - Code that cannot be loaded is an agent that cannot be reached: the message is shown and kept.

import type { ChatSession } from "@opstate/ag-ui";
import { createSource, type Readable } from "@opstate/core/readable";
import { randomId } from "@opstate/core/thread";
import type { ConversationOptions } from "./conversation.ts";
import { type ConversationState, NO_CONVERSATION, storedConversation } from "./stored-conversation.ts";
import { textOf } from "./transcript.ts";

type Session = ChatSession<ConversationState>;

export interface Conversation
  extends Readable<ConversationState>, Pick<Session, "send" | "resume" | "continueRun" | "abort" | "clear"> {}

export interface LateConversation extends Conversation {
  /** Loads the code, so that it is there when it is needed. */
  readonly warmUp: () => void;
}

export function lateConversation(options: ConversationOptions): LateConversation {
  const stored = storedConversation(options.storageKey);
  const source = createSource(stored ?? NO_CONVERSATION);
  let session: Session | undefined;
  let loading: Promise<Session> | undefined;
  let aborter = new AbortController();

  function load(): Promise<Session> {
    loading ??= import("./conversation.ts").then(
      ({ openConversation }) => {
        session = openConversation(options);
        session.subscribe((state) => source.set(state)());
        source.set(session.getState())();
        return session;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  async function soon(call: (session: Session) => Promise<ConversationState>): Promise<ConversationState> {
    const { signal } = aborter;
    const loaded = session ?? (await load());
    return signal.aborted ? loaded.getState() : call(loaded);
  }

  const warmUp = (): void => void load().catch(() => undefined);
  if (stored !== undefined) warmUp();

  return {
    getState: source.getState,
    getInitialState: source.getInitialState,
    subscribe: source.subscribe,
    warmUp,
    async send(message) {
      try {
        return await soon((loaded) => loaded.send(message));
      } catch (error) {
        if (session !== undefined) throw error;
        source.set(unreachable(source.getState(), typeof message === "string" ? message : textOf(message.content)))();
        return source.getState();
      }
    },
    resume: (...given) => soon((loaded) => loaded.resume(...given)),
    continueRun: () => soon((loaded) => loaded.continueRun()),
    abort() {
      aborter.abort();
      aborter = new AbortController();
      session?.abort();
    },
    async clear() {
      await (await load()).clear();
    },
  };
}

const NOT_REACHED = "The agent cannot be reached. Your message is kept: send it again when the connection is back.";

function unreachable(state: ConversationState, content: string): ConversationState {
  return {
    ...state,
    phase: "error",
    messages: [...state.messages, { id: randomId(), role: "user", content, status: "complete" }],
    error: { kind: "transport", message: NOT_REACHED },
  };
}
