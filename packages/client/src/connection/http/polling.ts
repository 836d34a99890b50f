// Requests news again and again, for hosts without body streams. A connection loads it when it has
// no stream to read.

import type { ThreadPosition } from "../../carrier.ts";
import type { ServerMessage } from "./messages.ts";
import type { Pause } from "./pause.ts";
import { requestError } from "./request.ts";

/** Seconds that a poll waits for news. */
const POLL_WAIT = 25;
/** Milliseconds between polls that bring no news and do not wait. */
const POLL_PAUSE = 1_000;

/** `readOnly`: what the server said last. When it is otherwise, the answer does not wait. */
type PolledPosition = ThreadPosition & { readonly readOnly?: true };

export interface Polled {
  /** Of the session. */
  readonly signal: AbortSignal;
  /** Ends early when the set of threads changed. */
  readonly pause: Pause;
  post(body: string, signal: AbortSignal): Promise<Response>;
  /**
   * The threads to request now, with what ends this poll; none: the session is over. `isFirst`: the
   * server has not begun with one of them.
   */
  ask(poll: AbortController): { readonly threads: Record<string, PolledPosition>; readonly isFirst: boolean };
  receive(messages: readonly ServerMessage[]): void;
}

export async function pollAll({ signal, pause, post, ask, receive }: Polled): Promise<void> {
  /** The threads whose newest `welcome` or `rights` said that this actor may read only. */
  const readOnly = new Set<string>();
  for (;;) {
    signal.throwIfAborted();
    const poll = new AbortController();
    const { threads, isFirst } = ask(poll);
    if (Object.keys(threads).length === 0) return;
    for (const [id, position] of Object.entries(threads))
      if (readOnly.has(id)) threads[id] = { ...position, readOnly: true };
    const end = () => poll.abort();
    signal.addEventListener("abort", end);
    const start = performance.now();
    try {
      const response = await post(JSON.stringify({ threads, wait: isFirst ? 0 : POLL_WAIT }), poll.signal);
      if (!response.ok) throw await requestError(response);
      const messages = (await response.json()) as readonly ServerMessage[];
      for (const message of messages) {
        if (message.type !== "welcome" && message.type !== "rights") continue;
        if (message.readOnly === true) readOnly.add(message.thread);
        else readOnly.delete(message.thread);
      }
      receive(messages);
      const isNews = messages.some(({ type }) => type !== "hello" && type !== "welcome" && type !== "presence");
      if (!isFirst && !isNews && performance.now() - start < POLL_PAUSE) await pause.for(POLL_PAUSE);
    } catch (error) {
      // Another set of threads is requested.
      if (!poll.signal.aborted || signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", end);
    }
  }
}
