// A replica's way to its authority over HTTP: one SSE stream in, POSTs out. Runs in browsers and in
// Node.
//
// Invariants: one stream at a time; it resumes after the newest version that was delivered; stream
// and POSTs are one session: when either fails both end, the status says so, and the replica sends
// what is pending again once the next session is online. So nothing waits for ever. An answer that
// trying again does not change (401, 403, 404) is not asked for again before somebody wants
// something.

import type { Transport } from "@opstate/core";
import type { TransportMessage, TransportStatus } from "@opstate/core/transport";
import { backoff } from "./backoff.ts";
import { readEvents } from "./event-reader.ts";
import { watchNetwork } from "./network.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { pathPart } from "./path-part.ts";
import { RequestError, requestError } from "./request.ts";

export interface HttpTransportOptions {
  /**
   * Where the server's routes stand: "https://boards.example.com/opstate", or "" for the page's own
   * origin.
   */
  readonly url: string;
  readonly threadId: string;
  /** Sent with every request; a function is asked each time, so that a token can be fresh. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

type RequestHeaders = Readonly<Record<string, string>>;

/** A session this long was a good one: the next failure starts with a short wait again. */
const GOOD_SESSION = 5_000;

/** Silence for three heartbeats means that the connection is dead, as after a machine's sleep. */
const SILENCE_LIMIT = 45_000;

/** A POST without an answer for this long is lost. */
const ANSWER_LIMIT = 30_000;

/** What the answer to a request says of all that follow. */
const LASTING = new Map<number, TransportStatus>([
  [401, "unauthenticated"],
  [403, "forbidden"],
  [404, "not_found"],
]);

/**
 * A transport to a thread on an opstate server. It reconnects by itself, waiting longer each time,
 * and at once when the browser is online again. Answered with 401, 403 or 404 it is
 * `unauthenticated`, `forbidden` or `not_found`, with a RequestError: then it tries again with the
 * next dispatch, or when the page is shown again or the browser comes online.
 *
 * @example
 * ```ts
 * import { createReplica } from "@opstate/core";
 * import { httpTransport } from "@opstate/server/client";
 *
 * const replica = createReplica({ definition: board, transport: httpTransport({ url: "", threadId: "launch" }) });
 * ```
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { headers = {}, fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const address = `${options.url.replace(/\/+$/, "")}/threads/${pathPart(options.threadId)}`;

  async function request(path: string, init: RequestInit): Promise<Response> {
    const own = typeof headers === "function" ? await headers() : headers;
    return fetch(address + path, { ...init, headers: { ...own, ...(init.headers as RequestHeaders) } });
  }

  return {
    key: ["http", address, typeof headers === "function" ? "fresh headers" : JSON.stringify(headers)],
    connect({ after, onMessage, onStatus }) {
      let version = after;
      let closed = false;
      let session = new AbortController();
      let outbox: Outbox | undefined;
      let wake = () => {};
      /** For somebody who wants something: the answer would be the same again. */
      let waiting = false;

      function deliver(message: TransportMessage): void {
        if (closed) return;
        if (message.type === "snapshot") version = message.snapshot.version;
        if (message.type === "commits") version = message.commits.at(-1)?.version ?? version;
        onMessage(message);
      }

      async function runSession(mine: AbortController, onOnline: () => void): Promise<void> {
        const { signal } = mine;
        const end = (why?: unknown) => mine.abort(why);
        const silence = watchdog(end, SILENCE_LIMIT);
        try {
          const response = await request(`/events${version === undefined ? "" : `?after=${version}`}`, {
            headers: { accept: "text/event-stream" },
            cache: "no-store",
            signal,
          });
          signal.throwIfAborted();
          if (!response.ok || !response.body) throw await requestError(response);
          outbox = createOutbox({
            post: (body) =>
              answered(
                request("/operations", {
                  method: "POST",
                  body,
                  headers: { "content-type": "application/json" },
                  signal,
                }),
                end,
              ),
            onVerdict: (id, verdict) => deliver({ type: "verdict", id, verdict }),
            onFailure: end,
            version: () => version ?? 0,
          });
          let online = false;
          const onMessage = (message: TransportMessage) => {
            deliver(message);
            // Not before the first word: it says which thread this is, and so whether what is
            // pending may be sent as it is.
            if (!online) onOnline();
            online = true;
          };
          await readEvents(response.body, onMessage, silence.reset);
        } finally {
          silence.stop();
        }
      }

      async function run(): Promise<void> {
        let failures = 0;
        let refreshed = false;
        for (;;) {
          if (closed) return;
          onStatus("connecting");
          const start = performance.now();
          session = new AbortController();
          let wasOnline = false;
          const thrown: unknown = await runSession(session, () => {
            wasOnline = true;
            onStatus("online");
          }).catch((error: unknown) => error);
          // A POST that failed ended the stream.
          const why: unknown = session.signal.aborted ? session.signal.reason : thrown;
          // What it had under way would come too late: the next one sends it again.
          session.abort();
          outbox = undefined;
          if (closed) return;
          if (wasOnline) refreshed = false;
          const lasts = why instanceof RequestError ? LASTING.get(why.status) : undefined;
          if (lasts === "unauthenticated" && typeof headers === "function" && !refreshed) {
            // A token that was kept may have expired: the function is asked for a fresh one.
            refreshed = true;
          } else if (lasts !== undefined && why instanceof RequestError) {
            [failures, refreshed, waiting] = [0, false, true];
            const woken = pause();
            onStatus(lasts, why);
            await woken;
            waiting = false;
          } else {
            onStatus("offline");
            failures = performance.now() - start > GOOD_SESSION ? 0 : failures + 1;
            await pause(backoff(failures));
          }
        }
      }

      /** Without a time: until it is woken. */
      function pause(time?: number): Promise<void> {
        return new Promise((resolve) => {
          const timer = time === undefined ? undefined : setTimeout(resolve, time);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }

      const unwatch = watchNetwork((online) => (online ? wake() : session.abort()));
      // Not at once: the caller has no connection yet that its status listener could use.
      queueMicrotask(() => void run());

      return {
        // Without a session it would be lost anyway: the replica sends it again when the next one
        // is online.
        send: (submission) => outbox?.send(submission),
        retry() {
          if (waiting) wake();
        },
        close() {
          closed = true;
          unwatch();
          session.abort();
          wake();
        },
      };
    },
  };
}

/** Calls `bark` when `limit` milliseconds pass without a reset. */
function watchdog(bark: () => void, limit: number) {
  let timer = setTimeout(bark, limit);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(bark, limit);
    },
    stop: () => clearTimeout(timer),
  };
}

async function answered(response: Promise<Response>, giveUp: () => void): Promise<Response> {
  const limit = watchdog(giveUp, ANSWER_LIMIT);
  try {
    return await response;
  } finally {
    limit.stop();
  }
}
