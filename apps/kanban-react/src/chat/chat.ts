// A conversation with an AG-UI agent through the protocol's own client.
//
// The client resolves also when a run failed or its stream broke off, so the end of a run is watched here: only RUN_FINISHED is success.
// The conversation lives in this tab's session storage: a reload keeps it, another tab has its own.

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
}

export interface ChatOptions {
  readonly url: string;
  readonly threadId: string;
  readonly headers: Record<string, string>;
  readonly storageKey: string;
}

export function createChat({ url, threadId, headers, storageKey }: ChatOptions) {
  const initialMessages = restore(storageKey);
  const store = createStore<Chat>()(() => ({ items: transcript(initialMessages), cardsAtWork: [], running: false, problem: undefined }));
  // Half of the page's code is this client: the board does not wait for it.
  const loading = import("@ag-ui/client").then(({ HttpAgent }) => new HttpAgent({ url, threadId, headers, initialMessages }));
  let running: HttpAgent | undefined;
  let frame = 0;
  let stopped = false;

  // Events come faster than frames; the page needs the newest only.
  function show(agent: HttpAgent) {
    if (frame === 0) frame = requestAnimationFrame(() => flush(agent));
  }

  function flush(agent: HttpAgent) {
    cancelAnimationFrame(frame);
    frame = 0;
    const items = transcript(agent.messages);
    store.setState({ items, cardsAtWork: cardsAtWork(items) });
  }

  async function send(text: string): Promise<void> {
    if (store.getState().running) return;
    let finished = false;
    let problem: string | undefined;
    stopped = false;
    store.setState({ running: true, problem: undefined });
    const agent = await loading;
    running = agent;
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
    flush(agent);
    // The board is the server's: what this client heard of it need not go back with the question.
    agent.setState({});
    try {
      await agent.runAgent(
        {},
        {
          onMessagesChanged: () => show(agent),
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
    flush(agent);
    running = undefined;
    store.setState({ running: false, cardsAtWork: [], problem: stopped ? undefined : problem });
    sessionStorage.setItem(storageKey, JSON.stringify(agent.messages));
  }

  function stop(): void {
    stopped = true;
    running?.abortRun();
  }

  return Object.assign(store, { send, stop, close: stop });
}

function restore(key: string): Message[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    // Edge: this page wrote it, in this tab.
    return Array.isArray(stored) ? (stored as Message[]) : [];
  } catch {
    return [];
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
