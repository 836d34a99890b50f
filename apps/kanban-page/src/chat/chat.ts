// A conversation with an AG-UI agent through the protocol's own client.
//
// The client resolves also when a run failed or its stream broke off, so the end of a run is watched here: only RUN_FINISHED is success.
// The conversation lives in this tab's session storage, and with the agent under the conversation's own id: a reload keeps it, another tab
// has its own. A question is stored as soon as it is sent, so none is lost with a page or a client that would not load.

import type { HttpAgent, Message } from "@ag-ui/client";
import { createStore } from "zustand/vanilla";
import { cardsAtWork, transcript, type TranscriptItem } from "./transcript.ts";

export interface Chat {
  readonly items: readonly TranscriptItem[];
  /** The cards that the agent is about to touch. */
  readonly cardsAtWork: readonly string[];
  readonly running: boolean;
  /** Why the last run did not end well, in words. */
  readonly problem: string | undefined;
  /** What was asked, by run, so that the log can say what a run was about. */
  readonly questions: ReadonlyMap<string, string>;
}

export interface ChatOptions {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly fetch: typeof globalThis.fetch;
  readonly storageKey: string;
  /** Where the next run works, and how. */
  prepare(): Promise<{ readonly threadId: string; readonly askFirst: boolean }>;
}

export function createChat({ url, headers, fetch, storageKey, prepare }: ChatOptions) {
  const conversation = restore(storageKey);
  const { conversationId } = conversation;
  let { messages } = conversation;
  const store = createStore<Chat>()(() => ({
    items: transcript(messages),
    cardsAtWork: [],
    running: false,
    problem: undefined,
    questions: new Map(conversation.questions),
  }));
  let loading: Promise<HttpAgent> | undefined;
  let running: HttpAgent | undefined;
  let frame = 0;
  let stopped = false;

  /** The client, asked for again after it failed to load. */
  function load(): Promise<HttpAgent> {
    loading ??= import("@ag-ui/client")
      .then(({ HttpAgent }) => new HttpAgent({ url, headers, fetch }))
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  }
  // Half of the page's code is this client: the board does not wait for it, and a question seldom has to. Who asks is told if it fails.
  load().catch(() => {});

  // Events come faster than frames; the page needs the newest only.
  function show(): void {
    if (frame === 0) frame = requestAnimationFrame(flush);
  }

  function flush(): void {
    cancelAnimationFrame(frame);
    frame = 0;
    const items = transcript(messages);
    store.setState({ items, cardsAtWork: cardsAtWork(items) });
  }

  function save(): void {
    try {
      sessionStorage.setItem(
        storageKey,
        JSON.stringify({ conversationId, messages, questions: [...store.getState().questions] } satisfies Conversation),
      );
    } catch {
      // The storage is full or forbidden: the conversation lasts as long as the page.
    }
  }

  async function send(text: string): Promise<void> {
    if (store.getState().running) return;
    let finished = false;
    let problem: string | undefined;
    stopped = false;
    messages = [...messages, { id: crypto.randomUUID(), role: "user", content: text }];
    const runId = crypto.randomUUID();
    store.setState(({ questions }) => ({ running: true, problem: undefined, questions: new Map([...questions, [runId, text]]) }));
    save();
    flush();
    try {
      const [agent, { threadId, askFirst }] = await Promise.all([load(), prepare()]);
      agent.threadId = threadId;
      // Proposals are decided on in the thread, not by an answer to the run that made them.
      agent.pendingInterrupts = [];
      agent.setMessages(messages);
      // The board is the server's: what this client heard of it need not go back with the question.
      agent.setState({});
      running = agent;
      if (!stopped)
        await agent.runAgent(
          { runId, forwardedProps: { conversationId, askFirst } },
          {
            onMessagesChanged() {
              messages = agent.messages;
              show();
            },
            onRunFinishedEvent: () => void (finished = true),
            onRunErrorEvent: ({ event }) => void (problem = event.message),
          },
        );
    } catch (error) {
      problem =
        error instanceof TypeError
          ? "The agent cannot be reached. Your message is kept: send it again when the connection is back."
          : messageOf(error);
    }
    if (!finished && !stopped) problem ??= "The answer broke off: the connection was lost. What the agent did until then is on the board.";
    running = undefined;
    save();
    flush();
    store.setState({ running: false, cardsAtWork: [], problem: stopped ? undefined : problem });
  }

  function stop(): void {
    stopped = true;
    running?.abortRun();
  }

  return Object.assign(store, { send, stop, close: stop });
}

interface Conversation {
  readonly conversationId: string;
  readonly messages: Message[];
  readonly questions: readonly (readonly [string, string])[];
}

function restore(key: string): Conversation {
  try {
    // Edge: this page wrote it, in this tab.
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "null") as Conversation | null;
    if (stored !== null && typeof stored.conversationId === "string" && Array.isArray(stored.messages) && Array.isArray(stored.questions))
      return stored;
  } catch {
    // No JSON, or no storage: a conversation begins.
  }
  return { conversationId: crypto.randomUUID(), messages: [], questions: [] };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
