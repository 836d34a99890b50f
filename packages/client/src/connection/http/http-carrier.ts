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
// - What a retry would not change is not tried again: such a thread is asked for when `retry` is
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
import { Outbox } from "./outbox.ts";
import { Pause } from "./pause.ts";
import { isTemporary, problemError, RequestError, requestError, type Requester } from "./request.ts";
import { startTimeout, withTimeout } from "./timeout.ts";

export interface HttpCarrierOptions {
  /** Asks for news again and again, for hosts without body streams, where it is the default. */
  readonly polling?: boolean;
}

/** Milliseconds. After a session of this length the backoff starts from its first delay again. */
const STABLE_SESSION = 5_000;
/** Milliseconds. Silence for three heartbeats: a dead connection, as after a machine's sleep. */
const SILENCE_LIMIT = 45_000;
/** Milliseconds. A POST without a response for this long is lost. */
const RESPONSE_LIMIT = 30_000;
/** Milliseconds. A server that asks for more is asked again after this. */
const DELAY_LIMIT = 300_000;
/** Seconds that a poll waits for news. */
const POLL_WAIT = 25;
/** Milliseconds between polls that bring no news and do not wait. */
const POLL_PAUSE = 1_000;

/** What every answer to a poll may have. */
const NO_NEWS: ReadonlySet<ServerMessage["type"]> = new Set(["hello", "welcome", "rights", "presence"]);

/** Milliseconds between two attempts that edits ask for. */
const RETRY_PACE = 1_000;

/** Why a session ends that no thread needs any more. */
const NOBODY = new Error("No thread is followed.");

/** Why a session ends whose credentials are another actor's now. The next one is that actor's. */
const OTHER_ACTOR = new Error("Another actor is connected now.");

/** Statuses that a retry would not change. */
const LASTING_STATUSES = new Map<number, TransportStatus>([
  [401, "unauthenticated"],
  [403, "forbidden"],
  [404, "not_found"],
]);

/**
 * - `wanted`: to be followed with the next request.
 * - `asked`: the server was asked, and has not begun yet.
 * - `followed`: its messages come.
 * - `delayed`: the server could not follow it now, and is asked again later.
 * - `waiting`: for `retry`.
 */
type Phase = "wanted" | "asked" | "followed" | "delayed" | "waiting";

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
  /** Threads that the session's stream still follows. */
  readonly #left = new Set<string>();
  /** Threads that the tabs of this connection show something of, and what is to be sent of it. */
  readonly #shown = new Set<string>();
  /** Threads whose last word on rights was that this actor may not write. */
  readonly #readOnly = new Set<string>();
  #toShow: { readonly tab: string | undefined; readonly threadId: string; readonly value: PresenceValue | null }[] = [];
  readonly #pause = new Pause();
  #isPolling: boolean;
  #isClosed = false;
  #isRunning = false;
  #isScheduled = false;
  #isChanging = false;
  #isShowing = false;
  #session = new AbortController();
  /** Ends one poll, when the set of threads changed. */
  #poll: AbortController | undefined;
  /** Who this session is, and how the server calls it. */
  #hello: Extract<ServerMessage, { type: "hello" }> | undefined;
  #outbox: Outbox | undefined;
  /** Milliseconds that the server asked to wait for before the next session. */
  #retryIn: number | undefined;
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
    this.#outbox?.drop(threadId);
    this.#threads.set(threadId, { phase: "wanted", failures: before?.failures ?? 0 });
    this.#schedule();
  }

  unfollow(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return;
    clearTimeout(thread.timer);
    this.#threads.delete(threadId);
    this.#outbox?.drop(threadId);
    for (const shown of this.#shown) if (shown.endsWith(`/${threadId}`)) this.#shown.delete(shown);
    this.#toShow = this.#toShow.filter((shown) => shown.threadId !== threadId);
    if (thread.phase !== "waiting" && thread.phase !== "delayed") this.#left.add(threadId);
    this.#schedule();
  }

  /** Without a session it is dropped: the replica sends it again when its thread is online. */
  send(threadId: string, submission: Submission): void {
    if (this.#threads.get(threadId)?.phase === "followed") this.#outbox?.send(threadId, submission);
  }

  show(threadId: string, value: PresenceValue | undefined, tab?: string): void {
    if (!this.#threads.has(threadId)) return;
    const shown = `${tab ?? ""}/${threadId}`;
    if (value === undefined) this.#shown.delete(shown);
    else this.#shown.add(shown);
    this.#toShow = this.#toShow.filter((each) => each.threadId !== threadId || each.tab !== tab);
    this.#toShow.push({ tab, threadId, value: value ?? null });
    void this.#sendShown();
  }

  retry(threadId?: string): void {
    const asked = threadId === undefined ? undefined : this.#threads.get(threadId);
    for (const thread of this.#threads.values()) {
      const isAsked = threadId === undefined || thread === asked;
      // New credentials are for all threads.
      const isSame = asked?.status === "unauthenticated" && thread.status === "unauthenticated";
      if (thread.phase === "waiting" && (isAsked || isSame)) thread.phase = "wanted";
    }
    // An edit in each moment must not be an attempt in each moment.
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

  /** One microtask later, so that threads that are followed together are asked for together. */
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
    if (this.#idsIn("wanted", "asked", "followed").length === 0) {
      // The last one has left. A thread that waits needs no stream.
      this.#session.abort(NOBODY);
      return this.#pause.end();
    }
    if (this.#left.size === 0 && this.#idsIn("wanted").length === 0) return;
    if (this.#poll) {
      this.#poll.abort();
      return this.#pause.end();
    }
    if (this.#hello?.stream !== undefined) void this.#change(this.#hello.stream);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let failures = 0;
    while (!this.#isClosed && this.#idsIn("wanted", "asked", "followed").length > 0) {
      const start = performance.now();
      const error = await this.#runSession();
      if (this.#isClosed) return;
      // Others may be followed by now.
      if (error === NOBODY) continue;
      if (error instanceof RequestError && LASTING_STATUSES.has(error.status) && !isTemporary(error)) {
        failures = 0;
        for (const threadId of this.#idsIn("wanted", "asked", "followed")) this.#wait(threadId, error);
        continue;
      }
      for (const threadId of this.#idsIn("wanted", "asked", "followed"))
        this.#listener.onStatus(threadId, "offline", asError(error));
      failures = performance.now() - start > STABLE_SESSION ? 0 : failures + 1;
      this.#pausedAt = performance.now();
      await this.#pause.for(this.#delay(failures, error));
    }
    this.#isRunning = false;
  }

  #delay(failures: number, error: unknown): number {
    const asked = Math.max(this.#retryIn ?? 0, (error instanceof RequestError && error.retryAfter) || 0);
    // Clients that were told the same time spread out.
    return Math.max(backoff(failures), Math.min(asked, DELAY_LIMIT) * (1 + Math.random() / 4));
  }

  /** Resolves to the error that ended the session, if it was one. */
  async #runSession(): Promise<unknown> {
    const session = new AbortController();
    this.#session = session;
    this.#left.clear();
    this.#toShow = [];
    for (const thread of this.#threads.values())
      if (thread.phase === "asked" || thread.phase === "followed") thread.phase = "wanted";
    this.#outbox = new Outbox({
      post: (submissions) => withTimeout(this.#submit(submissions), (error) => session.abort(error), RESPONSE_LIMIT),
      onVerdict: (threadId, id, verdict) => this.#deliver(threadId, id, verdict),
      onProblem: (threadId, error) => this.#refused(threadId, error),
      onFailure: (error) => session.abort(error),
      version: (threadId) => this.#listener.position(threadId).after ?? 0,
    });
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
      this.#outbox = undefined;
      this.#hello = undefined;
    }
  }

  async #readStream(signal: AbortSignal, onActivity: () => void): Promise<void> {
    const threads = this.#positions(this.#idsIn("wanted", "asked", "followed"));
    const headers = { accept: "text/event-stream" };
    const response = await this.#requester.post("/events", JSON.stringify({ threads }), { headers, signal });
    if (!response.ok) throw await requestError(response);
    if (!response.body) {
      this.#isPolling = true;
      return this.#pollAll(signal, onActivity);
    }
    this.#retryIn = undefined;
    const onRetry = (milliseconds: number) => (this.#retryIn = milliseconds);
    // A server hides what a silent reader shows.
    const onComment = () => void (this.#shown.size > 0 && this.#sendShown(true));
    for await (const events of eventsOf(response, { onActivity, onRetry, onComment })) {
      signal.throwIfAborted();
      this.#receive(events.map((data) => JSON.parse(data) as ServerMessage));
    }
  }

  async #pollAll(signal: AbortSignal, onActivity: () => void): Promise<void> {
    for (;;) {
      const ids = this.#idsIn("wanted", "asked", "followed");
      if (ids.length === 0) return;
      const isFirst = ids.some((threadId) => this.#threads.get(threadId)?.phase !== "followed");
      this.#left.clear();
      const poll = new AbortController();
      this.#poll = poll;
      const end = () => poll.abort();
      signal.addEventListener("abort", end);
      const start = performance.now();
      try {
        const threads = Object.entries(this.#positions(ids)).map(([id, position]) => [
          id,
          { ...position, ...(this.#readOnly.has(id) && { write: false }) },
        ]);
        const body = JSON.stringify({ threads: Object.fromEntries(threads), wait: isFirst ? 0 : POLL_WAIT });
        const response = await this.#requester.post("/events", body, { signal: poll.signal });
        if (!response.ok) throw await requestError(response);
        const messages = (await response.json()) as readonly ServerMessage[];
        onActivity();
        this.#receive(messages);
        const isNews = messages.some(({ type }) => !NO_NEWS.has(type));
        if (!isFirst && !isNews && performance.now() - start < POLL_PAUSE) await this.#pause.for(POLL_PAUSE);
      } catch (error) {
        // Another set of threads is asked for.
        if (!poll.signal.aborted || signal.aborted) throw error;
      } finally {
        signal.removeEventListener("abort", end);
        this.#poll = undefined;
      }
      signal.throwIfAborted();
    }
  }

  /** Where these threads continue. They are asked for now. */
  #positions(threadIds: readonly string[]): Record<string, ThreadPosition> {
    for (const threadId of threadIds) {
      const thread = this.#threads.get(threadId);
      // A poll goes on with those that are followed.
      if (thread?.phase !== "wanted") continue;
      thread.phase = "asked";
      this.#listener.onStatus(threadId, "connecting");
    }
    return Object.fromEntries(threadIds.map((threadId) => [threadId, this.#listener.position(threadId)]));
  }

  /** Tells the server which threads the stream follows now. One such request at a time. */
  async #change(stream: string): Promise<void> {
    if (this.#isChanging) return;
    this.#isChanging = true;
    const session = this.#session;
    const wanted = this.#idsIn("wanted");
    const unfollow = [...this.#left].filter((threadId) => !this.#threads.has(threadId));
    this.#left.clear();
    try {
      const body = JSON.stringify({ follow: this.#positions(wanted), unfollow });
      const response = await withTimeout(
        this.#post(`/events/${encodeURIComponent(stream)}`, body),
        (error) => session.abort(error),
        RESPONSE_LIMIT,
      );
      if (!response.ok) {
        const error = await requestError(response);
        // The stream is not there any more: that says nothing of its threads.
        session.abort(error.status === 404 ? undefined : error);
      }
    } catch (error) {
      session.abort(error);
    }
    this.#isChanging = false;
    this.#update();
  }

  #receive(messages: readonly ServerMessage[]): void {
    for (const message of joinCommits(messages)) {
      if (this.#isClosed || this.#session.signal.aborted) return;
      if (message.type === "hello") {
        // What waits to be sent is the earlier actor's.
        if (this.#hello !== undefined && !sameActor(this.#hello.actor, message.actor)) throw OTHER_ACTOR;
        this.#hello = message;
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
    if (thread === undefined || (thread.phase !== "asked" && thread.phase !== "followed")) return;
    if (thread.phase === "asked" && message.type !== "welcome") return;
    // After a welcome, no word on it means that this actor may write.
    if (message.type === "welcome") this.#readOnly.delete(threadId);
    if (message.type === "rights" && !message.write) this.#readOnly.add(threadId);
    const isFirst = thread.phase === "asked";
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
    this.#outbox?.drop(threadId);
    this.#listener.onStatus(threadId, "offline", error);
    this.#schedule();
  }

  #wait(threadId: string, error: RequestError): void {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) return;
    const status = LASTING_STATUSES.get(error.status) ?? "not_found";
    thread.phase = "waiting";
    thread.status = status;
    this.#outbox?.drop(threadId);
    this.#listener.onStatus(threadId, status, error);
    this.#schedule();
  }

  #deliver(threadId: string, id: string, verdict: Verdict): void {
    if (!this.#isClosed && this.#threads.has(threadId))
      this.#listener.onMessage(threadId, { type: "verdict", id, verdict });
  }

  /** What this tab shows may be lost with its connection, so a failure is nobody's. */
  async #sendShown(isAnswer = false): Promise<void> {
    const stream = this.#hello?.stream;
    if (stream === undefined || this.#isShowing || (this.#toShow.length === 0 && !isAnswer)) return;
    this.#isShowing = true;
    // One request is one tab's.
    const tab = this.#toShow[0]?.tab;
    const threads = Object.fromEntries(
      this.#toShow.flatMap((each) => (each.tab === tab ? [[each.threadId, each.value] as const] : [])),
    );
    this.#toShow = this.#toShow.filter((each) => each.tab !== tab);
    await this.#post("/presence", JSON.stringify({ stream, tab, threads })).catch(() => undefined);
    this.#isShowing = false;
    if (this.#toShow.length > 0) void this.#sendShown();
  }

  /** Nothing is sent before the session's actor is known. */
  #submit(submissions: string): Promise<Response> {
    const { kind, id } = this.#hello?.actor ?? {};
    return this.#post("/operations", `{"as":${JSON.stringify({ kind, id })},"submissions":${submissions}}`);
  }

  #post(path: string, body: string): Promise<Response> {
    return this.#requester.post(path, body, { signal: this.#session.signal });
  }

  #idsIn(...phases: readonly Phase[]): readonly string[] {
    return [...this.#threads].flatMap(([threadId, { phase }]) => (phases.includes(phase) ? [threadId] : []));
  }
}

/** React Native, for one, gives a response only when its body has ended. */
function hasBodyStreams(): boolean {
  return typeof ReadableStream !== "undefined" && typeof Response !== "undefined" && "body" in Response.prototype;
}

function asError(error: unknown): Error | undefined {
  return error instanceof Error ? error : undefined;
}
