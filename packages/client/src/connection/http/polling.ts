// Asks for news again and again, for hosts without body streams. A connection loads it when it has
// no stream to read.

import type { ThreadPosition } from "../../carrier.ts";
import type { ServerMessage } from "./messages.ts";
import type { Pause } from "./pause.ts";
import { requestError } from "./request.ts";

/** Seconds that a poll waits for news. */
const POLL_WAIT = 25;
/** Milliseconds between polls that bring no news and do not wait. */
const POLL_PAUSE = 1_000;

/** What every answer may have. */
const NO_NEWS: ReadonlySet<ServerMessage["type"]> = new Set(["hello", "welcome", "rights", "presence"]);

export interface Polled {
  /** Of the session. */
  readonly signal: AbortSignal;
  /** Ends early when the set of threads changed. */
  readonly pause: Pause;
  post(body: string, signal: AbortSignal): Promise<Response>;
  /**
   * The threads to ask for now, with what ends this poll; none: the session is over. `isFirst`: the
   * server has not begun with one of them.
   */
  ask(poll: AbortController): {
    readonly threads: Record<string, ThreadPosition>;
    readonly isFirst: boolean;
    /** Threads that the server said this actor may not write to. */
    readonly readOnly: ReadonlySet<string>;
  };
  receive(messages: readonly ServerMessage[]): void;
}

export async function pollAll({ signal, pause, post, ask, receive }: Polled): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const poll = new AbortController();
    const { threads: positions, isFirst, readOnly } = ask(poll);
    if (Object.keys(positions).length === 0) return;
    const threads = Object.fromEntries(
      Object.entries(positions).map(([id, position]) => [
        id,
        readOnly.has(id) ? { ...position, write: false } : position,
      ]),
    );
    const end = () => poll.abort();
    signal.addEventListener("abort", end);
    const start = performance.now();
    try {
      const response = await post(JSON.stringify({ threads, wait: isFirst ? 0 : POLL_WAIT }), poll.signal);
      if (!response.ok) throw await requestError(response);
      const messages = (await response.json()) as readonly ServerMessage[];
      receive(messages);
      const isNews = messages.some(({ type }) => !NO_NEWS.has(type));
      if (!isFirst && !isNews && performance.now() - start < POLL_PAUSE) await pause.for(POLL_PAUSE);
    } catch (error) {
      // Another set of threads is asked for.
      if (!poll.signal.aborted || signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }
}
