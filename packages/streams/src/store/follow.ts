// Reading on while others write: a page as soon as there is one.
//
// Invariants:
// - Nothing is missed between a read and the wait after it: the watcher is there before the read.
// - A reader who waits keeps a stream with a time to live alive.
// - It is one stream: one that was made anew under the id is another.

import { defined } from "@opstate/core";
import { type CallOptions, type CallSignal, checkCall } from "@opstate/core/log";
import type { Read, StreamPage, StreamRange, StreamStore } from "./store.ts";

export interface FollowRange extends StreamRange {
  /** Milliseconds to wait for a message. Default 30,000. */
  readonly wait?: number;
}

/**
 * Reads a page, and waits while the stream has nothing new and is open. When the time is over, it
 * gives the page without messages.
 */
export async function readNext(
  store: StreamStore,
  id: string,
  { wait = 30_000, ...range }: FollowRange = {},
  call: CallOptions & { readonly incarnation?: string | undefined } = {},
): Promise<Read> {
  const { signal, deadline } = call;
  const until = Date.now() + wait;
  let { position, incarnation } = { position: range.position ?? 0, incarnation: call.incarnation };
  let hasChanged = false;
  let wake = () => {};
  const end = store.watch(id, () => {
    hasChanged = true;
    wake();
  });
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      hasChanged = false;
      const read = await store.read(id, { ...range, position }, { signal, deadline });
      if (read.status !== "found") return read;
      incarnation ??= read.info.incarnation;
      if (read.info.incarnation !== incarnation) return { status: "unknown" };
      const left = Math.min(until, deadline ?? Infinity) - Date.now();
      if (read.messages.length > 0 || read.info.isClosed || left <= 0) return read;
      position = read.next;
      checkCall({ signal });
      const pause = Math.min(left, lookAgain(read));
      if (!hasChanged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pause);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  } finally {
    end();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** The longest delay that timers have. */
const LONGEST_DELAY = 2 ** 31 - 1;
const SHORTEST_PAUSE = 20;

/** Milliseconds until a read is due that keeps the stream, or finds it expired. */
function lookAgain({ info: { ttl, expiresAt } }: StreamPage): number {
  const due = ttl === undefined ? (expiresAt ?? Infinity) - Date.now() : (ttl * 1_000) / 2;
  return Math.min(LONGEST_DELAY, Math.max(SHORTEST_PAUSE, due));
}

/**
 * All pages of a stream from a position on, and those that come, until it is closed or gone. A page
 * without messages is the last one: the stream was closed there. It ends when the signal is
 * aborted.
 *
 * @example
 * ```ts
 * import { follow, memoryStreams } from "@opstate/streams";
 *
 * const store = memoryStreams();
 * await store.create("run-1", { contentType: "application/json" });
 * await store.append("run-1", { messages: [new TextEncoder().encode('{"step":1}')], close: true });
 * for await (const { messages } of follow(store, "run-1")) {
 *   for (const message of messages) console.log(new TextDecoder().decode(message));
 * }
 * ```
 */
export async function* follow(
  store: StreamStore,
  id: string,
  range: Omit<FollowRange, "wait"> = {},
  { signal }: { readonly signal?: CallSignal | undefined } = {},
): AsyncGenerator<StreamPage, void> {
  let { position } = range;
  let incarnation: string | undefined;
  for (;;) {
    if (signal?.aborted === true) return;
    const page = await readNext(store, id, { ...range, ...defined({ position }) }, { signal, incarnation }).catch(
      (error: unknown) => {
        if (signal?.aborted === true) return undefined;
        throw error;
      },
    );
    if (page?.status !== "found") return;
    const isEnd = page.info.isClosed && page.next === page.info.tail;
    if (page.messages.length > 0 || isEnd) yield page;
    if (isEnd) return;
    position = page.next;
    incarnation = page.info.incarnation;
  }
}
