// One connection of a replica over HTTP: session after session until it is closed.
//
//   connecting -> online -> offline, a delay -> connecting
//        |          |
//        +----------+-> 401, 403, 404: paused until it is woken -> connecting
//
// Invariants:
// - One stream at a time. It resumes after the newest delivered version.
// - The stream and the POSTs are one session. When either fails, both end and the status changes.
//   The replica sends its pending submissions again when the next session is online.
// - After 401, 403 or 404 the connection waits for a dispatch, or for the page or the network to
//   come back. A retry alone would get the same response.

import type { Transport } from "@opstate/core";
import type { Submission, TransportMessage, TransportStatus } from "@opstate/core/transport";
import { backoff } from "./backoff.ts";
import { readEvents } from "./event-reader.ts";
import { watchNetwork } from "./network.ts";
import { Outbox } from "./outbox.ts";
import { RequestError, requestError } from "./request.ts";
import { startTimeout, withTimeout } from "./timeout.ts";

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

export interface ThreadRequests {
  /** Sends a request to a path below the thread's address. */
  request(path: string, init: RequestInit): Promise<Response>;
  /** Whether the headers come from a function, so that another request may have other ones. */
  readonly hasFreshHeaders: boolean;
}

type Line = Parameters<Transport["connect"]>[0];

export class HttpConnection {
  readonly #requests: ThreadRequests;
  readonly #line: Line;
  readonly #unwatchNetwork: () => void;
  #version: number | undefined;
  #isClosed = false;
  #session = new AbortController();
  #outbox: Outbox | undefined;
  #wake = () => {};
  /** After a lasting status: paused until a dispatch, the page or the network wakes it. */
  #isPaused = false;

  constructor(requests: ThreadRequests, line: Line) {
    this.#requests = requests;
    this.#line = line;
    this.#version = line.after;
    this.#unwatchNetwork = watchNetwork((online) => (online ? this.#wake() : this.#session.abort()));
    // Not at once: the caller's status listener may use the connection, which it does not have yet.
    queueMicrotask(() => void this.#run());
  }

  /**
   * Without a session the submission is dropped. The replica sends it again when the next session
   * is online.
   */
  send(submission: Submission): void {
    this.#outbox?.send(submission);
  }

  /** Wakes a paused connection. */
  retry(): void {
    if (this.#isPaused) this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatchNetwork();
    this.#session.abort();
    this.#wake();
  }

  async #run(): Promise<void> {
    let failures = 0;
    let refreshed = false;
    for (;;) {
      if (this.#isClosed) return;
      this.#line.onStatus("connecting");
      const start = performance.now();
      this.#session = new AbortController();
      const session = this.#session;
      let wasOnline = false;
      const thrown: unknown = await this.#runSession(session, () => {
        wasOnline = true;
        this.#line.onStatus("online");
      }).catch((error: unknown) => error);
      // When a POST failed, its error is the abort reason of the stream.
      const error: unknown = session.signal.aborted ? session.signal.reason : thrown;
      // Cancels the requests under way. The next session sends their submissions again.
      session.abort();
      this.#outbox = undefined;
      if (this.#isClosed) return;
      if (wasOnline) refreshed = false;
      const lastingStatus = error instanceof RequestError ? LASTING_STATUSES.get(error.status) : undefined;
      if (lastingStatus === "unauthenticated" && this.#requests.hasFreshHeaders && !refreshed) {
        // The token may have expired, so the next session calls the function for a fresh one.
        refreshed = true;
      } else if (lastingStatus !== undefined && error instanceof RequestError) {
        [failures, refreshed, this.#isPaused] = [0, false, true];
        const woken = this.#pause();
        this.#line.onStatus(lastingStatus, error);
        await woken;
        this.#isPaused = false;
      } else {
        this.#line.onStatus("offline");
        failures = performance.now() - start > STABLE_SESSION ? 0 : failures + 1;
        await this.#pause(backoff(failures));
      }
    }
  }

  async #runSession(controller: AbortController, onOnline: () => void): Promise<void> {
    const { signal } = controller;
    const end = (reason?: unknown) => controller.abort(reason);
    const silence = startTimeout(end, SILENCE_TIMEOUT);
    try {
      const query = this.#version === undefined ? "" : `?after=${this.#version}`;
      const response = await this.#requests.request(`/events${query}`, {
        headers: { accept: "text/event-stream" },
        cache: "no-store",
        signal,
      });
      signal.throwIfAborted();
      if (!response.ok || !response.body) throw await requestError(response);
      this.#outbox = new Outbox({
        post: (body) => withTimeout(this.#post(body, signal), end, RESPONSE_TIMEOUT),
        onVerdict: (id, verdict) => this.#deliver({ type: "verdict", id, verdict }),
        onFailure: end,
        version: () => this.#version ?? 0,
      });
      let online = false;
      const onMessage = (message: TransportMessage) => {
        this.#deliver(message);
        // Online only after the first message. It names the incarnation, which decides whether the
        // pending submissions may be sent as they are.
        if (!online) onOnline();
        online = true;
      };
      await readEvents(response.body, onMessage, silence.reset);
    } finally {
      silence.stop();
    }
  }

  #post(body: string, signal: AbortSignal): Promise<Response> {
    const headers = { "content-type": "application/json" };
    return this.#requests.request("/operations", { method: "POST", body, headers, signal });
  }

  #deliver(message: TransportMessage): void {
    if (this.#isClosed) return;
    if (message.type === "snapshot") this.#version = message.snapshot.version;
    if (message.type === "commits") this.#version = message.commits.at(-1)?.version ?? this.#version;
    this.#line.onMessage(message);
  }

  /** Resolves after `time` milliseconds, or when `#wake` is called. */
  #pause(time?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = time === undefined ? undefined : setTimeout(resolve, time);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
