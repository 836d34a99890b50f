// A replica's transport over HTTP: one SSE stream in, POSTs out. Runs in browsers and in Node.
//
// Invariants:
// - One stream at a time. It resumes after the newest delivered version.
// - The stream and the POSTs are one session. When either fails, both end and the status changes.
//   The replica sends its pending submissions again when the next session is online.
// - After 401, 403 or 404 the transport waits for a dispatch, or for the page or the network to
//   come back. A retry alone would get the same response.

import type { Transport } from "@opstate/core";
import type { TransportMessage, TransportStatus } from "@opstate/core/transport";
import { backoff } from "./backoff.ts";
import { readEvents } from "./event-reader.ts";
import { watchNetwork } from "./network.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { pathPart } from "./path-part.ts";
import { RequestError, requestError, type RequestHeaders, type RequestOptions } from "./request.ts";

export type HttpTransportOptions = RequestOptions;

/** Milliseconds. After a session of this length the backoff starts from its first delay again. */
const STABLE_SESSION = 5_000;

/**
 * Milliseconds. Silence for three heartbeats means a dead connection, as after a machine's sleep.
 */
const SILENCE_TIMEOUT = 45_000;

/** Milliseconds. A POST without a response for this long is lost. */
const RESPONSE_TIMEOUT = 30_000;

/** Statuses that a retry would not change. */
const LASTING_STATUSES = new Map<number, TransportStatus>([
  [401, "unauthenticated"],
  [403, "forbidden"],
  [404, "not_found"],
]);

/**
 * A transport to a thread on an opstate server. It reconnects by itself with backoff, and at once
 * when the browser comes online.
 *
 * After a response of 401, 403 or 404 its status is `unauthenticated`, `forbidden` or `not_found`,
 * with a RequestError. Then it connects again with the next dispatch, or when the page becomes
 * visible or the browser comes online.
 *
 * @example
 * ```ts
 * import { createReplica } from "@opstate/core";
 * import { httpTransport } from "@opstate/server/client";
 *
 * const transport = httpTransport({ url: "", threadId: "launch" });
 * const replica = createReplica({ definition: board, transport });
 * ```
 */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { headers = {}, fetch = (input, init) => globalThis.fetch(input, init) } = options;
  const address = `${options.url.replace(/\/+$/, "")}/threads/${pathPart(options.threadId)}`;

  async function request(path: string, init: RequestInit): Promise<Response> {
    const fresh = typeof headers === "function" ? await headers() : headers;
    return fetch(address + path, { ...init, headers: { ...fresh, ...(init.headers as RequestHeaders) } });
  }

  return {
    key: ["http", address, typeof headers === "function" ? "fresh headers" : JSON.stringify(headers)],
    connect({ after, onMessage, onStatus }) {
      let version = after;
      let closed = false;
      let session = new AbortController();
      let outbox: Outbox | undefined;
      let wake = () => {};
      /** After a lasting status: paused until a dispatch, the page or the network wakes it. */
      let isPaused = false;

      function deliver(message: TransportMessage): void {
        if (closed) return;
        if (message.type === "snapshot") version = message.snapshot.version;
        if (message.type === "commits") version = message.commits.at(-1)?.version ?? version;
        onMessage(message);
      }

      async function runSession(controller: AbortController, onOnline: () => void): Promise<void> {
        const { signal } = controller;
        const end = (reason?: unknown) => controller.abort(reason);
        const silence = startTimeout(end, SILENCE_TIMEOUT);
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
              withTimeout(
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
            // Online only after the first message. It names the incarnation, which decides whether
            // the pending submissions may be sent as they are.
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
          // When a POST failed, its error is the abort reason of the stream.
          const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
          // Cancels the requests under way. The next session sends their submissions again.
          session.abort();
          outbox = undefined;
          if (closed) return;
          if (wasOnline) refreshed = false;
          const lastingStatus = error instanceof RequestError ? LASTING_STATUSES.get(error.status) : undefined;
          if (lastingStatus === "unauthenticated" && typeof headers === "function" && !refreshed) {
            // The token may have expired, so the next session calls the function for a fresh one.
            refreshed = true;
          } else if (lastingStatus !== undefined && error instanceof RequestError) {
            [failures, refreshed, isPaused] = [0, false, true];
            const woken = pause();
            onStatus(lastingStatus, error);
            await woken;
            isPaused = false;
          } else {
            onStatus("offline");
            failures = performance.now() - start > STABLE_SESSION ? 0 : failures + 1;
            await pause(backoff(failures));
          }
        }
      }

      /** Resolves after `time` milliseconds, or when `wake` is called. */
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
      // Not at once: the caller's status listener may use the connection, which it does not have
      // yet.
      queueMicrotask(() => void run());

      return {
        // Without a session the submission is dropped. The replica sends it again when the next
        // session is online.
        send: (submission) => outbox?.send(submission),
        retry() {
          if (isPaused) wake();
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

/** Calls `onTimeout` when `limit` milliseconds pass without a reset. */
function startTimeout(onTimeout: () => void, limit: number) {
  let timer = setTimeout(onTimeout, limit);
  return {
    reset() {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, limit);
    },
    stop: () => clearTimeout(timer),
  };
}

async function withTimeout(response: Promise<Response>, onTimeout: () => void): Promise<Response> {
  const timeout = startTimeout(onTimeout, RESPONSE_TIMEOUT);
  try {
    return await response;
  } finally {
    timeout.stop();
  }
}
