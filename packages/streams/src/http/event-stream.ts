// GET with live=sse: pages as events, as soon as they come.
//
//   page ──> event: data     the messages, JSON as an array, other than text in base64
//            event: control  the offset after them, and whether that is the end
//
// Invariants:
// - Nothing is sent that the reader's right was not confirmed for.
// - A reader that does not take what it has gets nothing more: one page waits, no other is read.
// - A line of a message is a line of its event, whatever the message tries.
// - A character is never cut in two. The offset lies before one whose end is still missing.

import { isJson, isText } from "../store/content-type.ts";
import { readNext } from "../store/follow.ts";
import type { StreamPage } from "../store/store.ts";
import { nextCursor } from "./cursor.ts";
import type { Exchange } from "./exchange.ts";
import type { LiveAccess } from "./live-access.ts";
import { offsetOf } from "./offset.ts";
import { Problem } from "./problem.ts";

/** Milliseconds without a message after which a control event says that there is none. */
const HEARTBEAT = 15_000;

interface Follower {
  readonly live: LiveAccess;
  readonly cursor: string | null;
}

export function eventStream(exchange: Exchange, first: StreamPage, { live, cursor }: Follower): Response {
  const { request, services } = exchange;
  const onLeave = () => live.close();
  request.signal.addEventListener("abort", onLeave);
  if (request.signal.aborted) onLeave();
  const frames = framesOf(exchange, first, { live, cursor });
  const encoder = new TextEncoder();
  const leave = () => {
    request.signal.removeEventListener("abort", onLeave);
    live.close();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await frames.next();
          if (done !== true) return controller.enqueue(encoder.encode(value));
        } catch (error) {
          // A right that ended, or a server that closes, is no failure: the reader asks again.
          if (!(error instanceof Problem) && !live.signal.aborted) services.onError(error);
        }
        leave();
        controller.close();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform, private",
      // A proxy that collects what it passes on would hold back every event.
      "x-accel-buffering": "no",
      ...(!isText(first.info.contentType) && { "stream-sse-data-encoding": "base64" }),
    },
  });
}

async function* framesOf(
  { streamId, services }: Exchange,
  first: StreamPage,
  { live, cursor }: Follower,
): AsyncGenerator<string, void> {
  const { store, times, limits } = services;
  const end = Date.now() + times.sse;
  const { incarnation, contentType } = first.info;
  const payloads = new Payloads(contentType);
  let page = first;
  for (;;) {
    const isEnd = page.info.isClosed && page.next === page.info.tail;
    const payload = payloads.of(page.messages, isEnd);
    const control = {
      streamNextOffset: offsetOf(page.next - payloads.held),
      ...(!isEnd && { streamCursor: nextCursor(cursor) }),
      ...(page.next === page.info.tail && { upToDate: true }),
      ...(isEnd && { streamClosed: true }),
    };
    await live.confirm();
    yield (payload === "" ? "" : event("data", payload)) + event("control", JSON.stringify(control));
    if (isEnd || Date.now() >= end) return;
    const wait = Math.min(HEARTBEAT, end - Date.now());
    const range = { position: page.next, bytes: limits.page, wait };
    const next = await readNext(store, streamId, range, { signal: live.signal, incarnation });
    // Deleted or expired: the next request says so.
    if (next.status !== "found") return;
    if (next.messages.length === 0 && !next.info.isClosed && Date.now() >= end) return;
    page = next;
  }
}

/** What the events of one stream carry. */
class Payloads {
  readonly #kind: "json" | "text" | "binary";
  /** The beginning of a character. */
  #rest: Uint8Array = new Uint8Array();

  constructor(contentType: string) {
    this.#kind = isJson(contentType) ? "json" : isText(contentType) ? "text" : "binary";
  }

  /** How many bytes were read and not sent. */
  get held(): number {
    return this.#rest.length;
  }

  /** Empty: there is nothing to send. */
  of(messages: readonly Uint8Array[], isEnd: boolean): string {
    if (this.#kind === "json")
      return messages.length === 0 ? "" : `[${messages.map((one) => DECODER.decode(one)).join(",")}]`;
    const bytes = Buffer.concat(this.#kind === "text" ? [this.#rest, ...messages] : messages);
    if (this.#kind === "binary") return bytes.toString("base64");
    const whole = isEnd ? bytes.length : wholeCharacters(bytes);
    this.#rest = bytes.subarray(whole);
    return DECODER.decode(bytes.subarray(0, whole));
  }
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** How many of the bytes are whole characters of UTF-8. What is none at all is not waited for. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Without a space after the colon: readers strip one, which would be the message's. */
function event(name: string, payload: string): string {
  return `event: ${name}\ndata:${payload.replaceAll(/\r\n|\r|\n/g, "\ndata:")}\n\n`;
}
