// The carrier over HTTP: one stream for all followed threads and one outbox, session after session.
//
//   connecting -> online -> offline, a delay -> connecting        for all threads together
//        |          |
//        +----------+-> 401, 403, 404: the thread waits for `retry`
//
// Invariants:
// - There is one session at a time: one stream (or one poll) and one POST of submissions. When
//   either fails, both end, and every thread is offline.
// - A thread is online after its first message in this session. Older messages of a thread that
//   begins again are dropped.
// - A session is one actor's, and edits are sent with whose they are: credentials such as a cookie
//   may become another actor's at any time, and then the server takes nothing.
// - What a retry would not change is not tried again: such a thread is requested when `retry` is
//   called, or when the page or the network comes back.
//
// (Long because it is one state machine: the session, the set of threads and their statuses change
// together.)

import type { Verdict } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import type { Submission, TransportStatus } from "@opstate/core/transport";
import type { Carrier, CarrierConnection, CarrierListener, PresenceValue, ThreadPosition } from "../../carrier.ts";
import { backoff } from "./backoff.ts";
import { eventsOf } from "./events-of.ts";
import { joinCommits, type ServerMessage } from "./messages.ts";
import { watchNetwork } from "./network.ts";
import type { OpenSession } from "./open-session.ts";
import { Pause } from "./pause.ts";
import { isTemporary, problemError, RequestError, requestError, type Requester } from "./request.ts";
import { startTimeout } from "./timeout.ts";

export interface HttpCarrierOptions {
  /** Requests news again and again, for hosts without body streams, where it is the default. */
  readonly polling?: boolean;
}

/** Milliseconds. After a session of this length the backoff starts from its first delay again. */
const STABLE_SESSION = 5_000;
/** Milliseconds. Silence for three heartbeats: a dead connection, as after a machine's sleep. */
const SILENCE_LIMIT = 45_000;
/** Milliseconds. Where a server wants more, this is the delay. */
const DELAY_LIMIT = 300_000;
/** Milliseconds between two attempts that edits cause. */
const RETRY_PACE = 1_000;

/** Why a session ends that no thread needs any more. */
const NOBODY = Symbol();

/** Why a session ends whose credentials are another actor's now. The next one is that actor's. */
const OTHER_ACTOR = new Error("Another actor is connected.");

/** Statuses that a retry would not change. */
const LASTING_STATUSES: Readonly<Record<number, TransportStatus>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
};

/**
 * - `wanted`: to be followed with the next request.
 * - `sent`: the request was sent, and the server has not begun yet.
 * - `followed`: its messages come.
 * - `delayed`: the server could not follow it now, and is requested again later.
 * - `waiting`: for `retry`.
 */
type Phase = "wanted" | "sent" | "followed" | "delayed" | "waiting";

/** Those of the session. */
const ACTIVE: readonly Phase[] = ["wanted", "sent", "followed"];

type Hello = Extract<ServerMessage, { type: "hello" }>;

interface FollowedThread {
  phase: Phase;
  /** While `waiting`. */
  status?: TransportStatus;
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
}

export function httpCarrier(requester: Pick<Requester, "post">, options: HttpCarrierOptions = {}): Carrier {
  return { open: (listener) => new HttpConnection(requester, options, listener) };
}

class HttpConnection implements CarrierConnection {
  readonly #requester: Pick<Requester, "post">;
  readonly #listener: CarrierListener;
  readonly #unwatchNetwork: () => void;
  readonly #threads = new Map<string, FollowedThread>();
  /** Threads that were unfollowed here, and that the session's stream still follows. */
  readonly #left = new Set<string>();
  readonly #pause = new Pause();
  #isPolling: boolean;
  #isClosed = false;
  #isRunning = false;
  #isScheduled = false;
  #session = new AbortController();
  /** Ends one poll, when the set of threads changed. */
  #poll: AbortController | undefined;
  /** Who this session is, and how the server calls it. */
  #hello: Hello | undefined;
  /** What sends in this session, once the server has said hello. */
  #open: Promise<OpenSession> | undefined;
  /** Milliseconds that the server wants to pass before the next session. */
  #retryIn = 0;
  #pausedAt = 0;

  constructor(
    requester: Pick<Requester, "post">,
    { polling = !hasBodyStreams() }: HttpCarrierOptions,
    listener: CarrierListener,
  ) {
    this.#requester = requester;
    this.#listener = listener;
    this.#isPolling = polling;
    this.#unwatchNetwork = watchNetwork((online) => (online ? this.retry() : this.#session.abort()));
  }

  follow(threadId: string): void {
    if (this.#isClosed) return;
    const before = this.#threads.get(threadId);
    clearTimeout(before?.timer);
    this.#withOpen((session) => session.drop(threadId));
    this.#threads.set(threadId, { phase: "wanted", failures: before?.failures ?? 0 });
    this.#schedule();
  }

  unfollow(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return;
    clearTimeout(thread.timer);
    this.#threads.delete(threadId);
    this.#withOpen((session) => session.leave(threadId));
    if (thread.phase !== "waiting" && thread.phase !== "delayed") this.#left.add(threadId);
    this.#schedule();
  }

  /** Without a session it is dropped: the replica sends it again when its thread is online. */
  send(threadId: string, submission: Submission): void {
    if (this.#threads.get(threadId)?.phase === "followed")
      this.#withOpen((session) => session.send(threadId, submission));
  }

  show(threadId: string, value: PresenceValue | undefined, tab?: string): void {
    if (this.#threads.has(threadId)) this.#withOpen((session) => session.show(threadId, value, tab));
  }

  retry(threadId?: string): void {
    const named = threadId === undefined ? undefined : this.#threads.get(threadId);
    for (const thread of this.#threads.values()) {
      const isMeant = threadId === undefined || thread === named;
      // New credentials are for all threads.
      const isSame = named?.status === "unauthenticated" && thread.status === named.status;
      if (thread.phase === "waiting" && (isMeant || isSame)) thread.phase = "wanted";
    }
    // Frequent edits must not lead to as many attempts.
    if (threadId === undefined || performance.now() - this.#pausedAt > RETRY_PACE) this.#pause.end();
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatchNetwork();
    for (const { timer } of this.#threads.values()) clearTimeout(timer);
    this.#threads.clear();
    this.#session.abort();
    this.#pause.end();
  }

  /** One microtask later, so that threads that are followed together are requested together. */
  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#update();
    });
  }

  #update(): void {
    if (this.#isClosed) return;
    if (!this.#isRunning) return void this.#run();
    if (this.#idsIn(...ACTIVE).length === 0) {
      // The last one has left. A thread that waits needs no stream.
      this.#session.abort(NOBODY);
      return this.#pause.end();
    }
    if (this.#left.size === 0 && this.#idsIn("wanted").length === 0) return;
    if (this.#poll) {
      this.#poll.abort();
      return this.#pause.end();
    }
    this.#withOpen((session) => void session.change());
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let failures = 0;
    while (!this.#isClosed && this.#idsIn(...ACTIVE).length > 0) {
      const start = performance.now();
      const error = await this.#runSession();
      if (this.#isClosed) return;
      // Others may be followed by now.
      if (error === NOBODY) continue;
      if (error instanceof RequestError && error.status in LASTING_STATUSES && !isTemporary(error)) {
        failures = 0;
        for (const threadId of this.#idsIn(...ACTIVE)) this.#wait(threadId, error);
        continue;
      }
      for (const threadId of this.#idsIn(...ACTIVE))
        this.#listener.onStatus(threadId, "offline", error instanceof Error ? error : undefined);
      failures = performance.now() - start > STABLE_SESSION ? 0 : failures + 1;
      this.#pausedAt = performance.now();
      await this.#pause.for(this.#delay(failures, error));
    }
    this.#isRunning = false;
  }

  #delay(failures: number, error: unknown): number {
    const least = Math.max(this.#retryIn, (error instanceof RequestError && error.retryAfter) || 0);
    // Clients with the same delay spread out.
    return Math.max(backoff(failures), Math.min(least, DELAY_LIMIT) * (1 + Math.random() / 4));
  }

  /** Resolves to the error that ended the session, if it was one. */
  async #runSession(): Promise<unknown> {
    const session = new AbortController();
    this.#session = session;
    this.#left.clear();
    for (const thread of this.#threads.values())
      if (thread.phase === "sent" || thread.phase === "followed") thread.phase = "wanted";
    const silence = startTimeout((error) => session.abort(error), SILENCE_LIMIT);
    try {
      if (this.#isPolling) await this.#pollAll(session.signal, silence.reset);
      else await this.#readStream(session.signal, silence.reset);
      return undefined;
    } catch (error) {
      // When a POST failed, its error is the abort reason of the stream.
      return session.signal.aborted ? session.signal.reason : error;
    } finally {
      silence.stop();
      // Cancels the requests under way.
      session.abort();
      this.#open = undefined;
      this.#hello = undefined;
    }
  }

  async #readStream(signal: AbortSignal, onActivity: () => void): Promise<void> {
    const threads = this.#positions(this.#idsIn(...ACTIVE));
    const headers = { accept: "text/event-stream" };
    const response = await this.#requester.post("/events", JSON.stringify({ threads }), { headers, signal });
    if (!response.ok) throw await requestError(response);
    if (!response.body) {
      this.#isPolling = true;
      return this.#pollAll(signal, onActivity);
    }
    this.#retryIn = 0;
    const onRetry = (milliseconds: number) => (this.#retryIn = milliseconds);
    const onComment = () => this.#withOpen((session) => session.answer());
    for await (const events of eventsOf(response, { onActivity, onRetry, onComment })) {
      signal.throwIfAborted();
      this.#receive(events.map((data) => JSON.parse(data) as ServerMessage));
    }
  }

  async #pollAll(signal: AbortSignal, onActivity: () => void): Promise<void> {
    const { pollAll } = await import("./polling.ts");
    try {
      await pollAll({
        signal,
        pause: this.#pause,
        post: (body, ends) => this.#requester.post("/events", body, { signal: ends }),
        ask: (poll) => {
          this.#poll = poll;
          this.#left.clear();
          const isFirst = this.#idsIn("wanted", "sent").length > 0;
          return { isFirst, threads: this.#positions(this.#idsIn(...ACTIVE)) };
        },
        receive: (messages) => {
          onActivity();
          this.#receive(messages);
        },
      });
    } finally {
      this.#poll = undefined;
    }
  }

  /** Where these threads continue. They are requested now. */
  #positions(threadIds: readonly string[]): Record<string, ThreadPosition> {
    for (const threadId of threadIds) {
      const thread = this.#threads.get(threadId);
      // A poll goes on with those that are followed.
      if (thread?.phase !== "wanted") continue;
      thread.phase = "sent";
      this.#listener.onStatus(threadId, "connecting");
    }
    return Object.fromEntries(threadIds.map((threadId) => [threadId, this.#listener.position(threadId)]));
  }

  #receive(messages: readonly ServerMessage[]): void {
    for (const message of joinCommits(messages)) {
      if (this.#isClosed || this.#session.signal.aborted) return;
      if (message.type === "hello") {
        // What waits to be sent is the earlier actor's.
        if (this.#hello !== undefined && !sameActor(this.#hello.actor, message.actor)) throw OTHER_ACTOR;
        this.#hello = message;
        this.#open ??= this.#load(this.#session, message);
        // The session ends then.
        this.#open.catch(() => undefined);
        this.#listener.onActor(message.actor);
        // Those that were followed or left while the request was under way.
        this.#schedule();
      } else if (message.type === "problem") {
        const error = problemError(message, message.status);
        if (message.thread === undefined) throw error;
        this.#refused(message.thread, error);
      } else this.#receiveFor(message.thread, message);
    }
  }

  #receiveFor(threadId: string, message: Exclude<ServerMessage, { type: "hello" | "problem" }>): void {
    const thread = this.#threads.get(threadId);
    if (thread === undefined || (thread.phase !== "sent" && thread.phase !== "followed")) return;
    if (thread.phase === "sent" && message.type !== "welcome") return;
    const isFirst = thread.phase === "sent";
    thread.phase = "followed";
    thread.failures = 0;
    this.#listener.onMessage(
      threadId,
      message.type === "presence" ? { ...message, session: this.#hello?.session } : message,
    );
    // The listener may have begun again or left.
    if (isFirst && this.#threads.get(threadId) === thread) this.#listener.onStatus(threadId, "online");
  }

  /** One thread cannot be followed, or takes nothing. */
  #refused(threadId: string, error: RequestError): void {
    const thread = this.#threads.get(threadId);
    // Each of several edits may bring the same answer.
    if (thread === undefined || thread.phase === "wanted" || thread.phase === "delayed") return;
    // What is wrong with its id is lasting too.
    if (error.status >= 400 && !isTemporary(error)) return this.#wait(threadId, error);
    thread.phase = "delayed";
    thread.failures += 1;
    thread.timer = setTimeout(
      () => {
        thread.phase = "wanted";
        this.#schedule();
      },
      this.#delay(thread.failures, error),
    );
    this.#withOpen((session) => session.drop(threadId));
    this.#listener.onStatus(threadId, "offline", error);
    this.#schedule();
  }

  #wait(threadId: string, error: RequestError): void {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return;
    const status = LASTING_STATUSES[error.status] ?? "not_found";
    thread.phase = "waiting";
    thread.status = status;
    this.#withOpen((session) => session.drop(threadId));
    this.#listener.onStatus(threadId, status, error);
    this.#schedule();
  }

  #deliver(threadId: string, id: string, verdict: Verdict): void {
    if (!this.#isClosed && this.#threads.has(threadId))
      this.#listener.onMessage(threadId, { type: "verdict", id, verdict });
  }

  /** A session whose code cannot be loaded ends, as one that cannot send. */
  async #load(session: AbortController, { stream, actor }: Hello): Promise<OpenSession> {
    const end = (error: unknown): void => session.abort(error);
    try {
      const { OpenSession: Opened } = await import("./open-session.ts");
      return new Opened({
        actor,
        stream,
        post: (path, body) => this.#requester.post(path, body, { signal: session.signal }),
        end,
        takeChange: () => {
          const unfollow = [...this.#left].filter((threadId) => !this.#threads.has(threadId));
          this.#left.clear();
          return { follow: this.#positions(this.#idsIn("wanted")), unfollow };
        },
        onChanged: () => this.#update(),
        onVerdict: (threadId, id, verdict) => this.#deliver(threadId, id, verdict),
        onProblem: (threadId, error) => this.#refused(threadId, error),
        version: (threadId) => this.#listener.position(threadId).after ?? 0,
      });
    } catch (error) {
      end(error);
      throw error;
    }
  }

  /** Nothing is sent by an earlier session: it was another actor's, perhaps. */
  #withOpen(run: (session: OpenSession) => void): void {
    const open = this.#open;
    const runNow = (session: OpenSession): void => {
      if (open === this.#open) run(session);
    };
    open?.then(runNow, () => undefined);
  }

  #idsIn(...phases: readonly Phase[]): readonly string[] {
    return [...this.#threads].flatMap(([threadId, { phase }]) => (phases.includes(phase) ? [threadId] : []));
  }
}

/** React Native, for one, gives a response only when its body has ended. */
function hasBodyStreams(): boolean {
  return typeof Response !== "undefined" && "body" in Response.prototype;
}
