// The events of one run over HTTP. A stream that says so (by `retry:`) is read on where it was cut.
//
//   open ──> events ──(cut)──> wait ──> open after the last event id ──> events ──> terminal event
//
// Invariants:
// - An event is given once, in the order of the stream.
// - A stream without `retry:` is read once, as any AG-UI client does.
// - It is tried again for some minutes from the first failure on; what a server refuses is not.
// - When the signal aborts before the terminal event, the run is stopped.

import { createParser } from "eventsource-parser";
import { AgentTransportError } from "./agent-transport.ts";

export interface EventConnection {
  /** The events after a number. */
  open(after: number, signal: AbortSignal): Promise<Response>;
  /** Ends the run on the server. */
  stop(): void;
  readonly onResumable?: (() => void) | undefined;
  /** The run was started before. */
  readonly isResumable?: boolean;
}

/** Milliseconds from the first failure on in which it is tried again. */
const PATIENCE = 5 * 60_000;
/** Milliseconds without a byte: a server sends a comment every 15 seconds. */
const SILENCE = 45_000;
const DEFAULT_RETRY = 1_000;
/** The longest part of a server's error message that is shown, in characters. */
const DETAIL_LIMIT = 500;
/** A server that starts again or is busy, or a proxy before one. */
const PASSING = new Set([408, 425, 429, 502, 503, 504].map((status) => `http_${status}`));

interface Frame {
  readonly event: unknown;
  readonly id: string | undefined;
}

export async function* followEvents(
  begin: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
  connection?: EventConnection,
): AsyncGenerator<unknown, void> {
  let open = begin;
  let isResumable = connection?.isResumable ?? false;
  let isAnswered = false;
  let hasEnded = false;
  let after = 0;
  let retry = DEFAULT_RETRY;
  let failingSince: number | undefined;

  function stopRun(): void {
    // Before the answer it is not known whether the server lets the run go on.
    if (!hasEnded && (isResumable || !isAnswered)) connection?.stop();
  }
  function onRetry(milliseconds: number): void {
    retry = milliseconds;
    if (connection === undefined || isResumable) return;
    isResumable = true;
    connection.onResumable?.();
  }

  function isOver(): boolean {
    return failingSince !== undefined && Date.now() - failingSince > PATIENCE;
  }

  signal.addEventListener("abort", stopRun);
  try {
    for (;;) {
      const attempt = new Attempt(signal);
      try {
        const response = await open(attempt.signal);
        if (!response.ok) throw await refusal(response, after > 0 || connection?.isResumable === true);
        isAnswered = true;
        for await (const { event, id } of readFrames(response, attempt, onRetry)) {
          failingSince = undefined;
          if (id !== undefined) after = Number(id);
          hasEnded ||= endsRun(event);
          yield event;
        }
        if (hasEnded || !isResumable || isOver()) return;
      } catch (error) {
        // All was given. What breaks afterwards is no loss.
        if (isResumable && hasEnded) return;
        const isFinal = error instanceof AgentTransportError && !PASSING.has(error.code);
        if (!isResumable || isFinal || signal.aborted || isOver()) throw error;
      } finally {
        attempt.close();
      }
      failingSince ??= Date.now();
      await pause(retry * (0.5 + Math.random()), signal);
      if (signal.aborted) return;
      if (connection !== undefined) open = (from) => connection.open(after, from);
    }
  } finally {
    signal.removeEventListener("abort", stopRun);
  }
}

/** One request. It is aborted when nothing comes for too long, such as after a sleep. */
class Attempt {
  readonly #aborter = new AbortController();
  readonly #outer: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(outer: AbortSignal) {
    this.#outer = outer;
    outer.addEventListener("abort", this.#abort);
    if (outer.aborted) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  /** Something came. Of a stream that has heartbeats, the next is waited for only so long. */
  alive(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#abort, SILENCE);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#outer.removeEventListener("abort", this.#abort);
  }

  #abort = (): void => this.#aborter.abort();
}

async function* readFrames(
  { body }: Response,
  attempt: Attempt,
  onRetry: (milliseconds: number) => void,
): AsyncGenerator<Frame, void> {
  if (body === null) throw new AgentTransportError("no_body", "The server answered without a body.");
  let frames: { readonly data: string; readonly id?: string | undefined }[] = [];
  let hasHeartbeats = false;
  const parser = createParser({
    onEvent: (frame) => void frames.push(frame),
    onRetry(milliseconds) {
      hasHeartbeats = true;
      onRetry(milliseconds);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (hasHeartbeats) attempt.alive();
      const complete = frames;
      frames = [];
      for (const { data, id } of complete) yield { event: parsed(data), id };
    }
  } finally {
    // When the reading stops, the server should stop too. A broken body cannot be canceled.
    await reader.cancel().catch(() => {});
  }
}

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    throw new AgentTransportError("not_json", `The server sent a frame that is not JSON: ${frame.slice(0, 100)}`);
  }
}

function endsRun(event: unknown): boolean {
  if (typeof event !== "object" || event === null || !("type" in event)) return false;
  return event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
}

/** Resolves after a time, when the browser is online again, or when the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Only a browser reports it.
    const events = globalThis as unknown as Partial<EventTarget>;
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    events.addEventListener?.("online", done);

    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      events.removeEventListener?.("online", done);
      resolve();
    }
  });
}

/** What a bad answer means. `wasUnderWay`: the run had begun. */
async function refusal(response: Response, wasUnderWay: boolean): Promise<AgentTransportError> {
  const detail = await errorDetail(response);
  if (response.status === 404 && wasUnderWay)
    return new AgentTransportError(
      "run_lost",
      `The server does not know the run any more that was under way. ${detail}`,
    );
  return new AgentTransportError(`http_${response.status}`, detail);
}

/** A sentence about a bad answer, with the detail of its problem document, or with its text. */
async function errorDetail(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  let detail = text;
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === "object" && problem !== null && "detail" in problem) detail = String(problem.detail);
  } catch {
    // Not JSON: the text itself.
  }
  return `The server answered ${response.status}${detail === "" ? "." : `: ${detail.slice(0, DETAIL_LIMIT)}`}`;
}
