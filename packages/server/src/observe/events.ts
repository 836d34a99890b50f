// What the observers of a server get: ids, codes and times; nothing of a state, an operation's
// input or a message, and no header of a request.
//
// Times are milliseconds.

import type { Actor } from "@opstate/core";
import type { SubmissionEvent } from "@opstate/core/thread";

/** A request was answered. The answer to a stream's request is its beginning. */
export interface RequestEvent {
  readonly type: "request";
  /** The `x-request-id` of the answer. */
  readonly requestId: string;
  readonly method: string;
  /** The pattern of its path, such as "/threads/:id/operations". */
  readonly route: string;
  readonly status: number;
  readonly duration: number;
  /** Of a problem: its code. */
  readonly code?: string;
  /** Once it is known. */
  readonly actor?: Actor;
  /** Of a route of one thread. */
  readonly threadId?: string;
}

/** A submission got its verdict, over HTTP or from an agent's run or a job in this process. */
export interface ServerSubmissionEvent extends SubmissionEvent {
  /** Of the request that it came with, or that began the run. */
  readonly requestId?: string;
}

interface AboutStream {
  readonly requestId: string;
  /** The pattern of its path: of a thread, of many threads, or of a run. */
  readonly route: string;
  readonly actor: Actor;
}

export interface StreamOpenedEvent extends AboutStream {
  readonly type: "stream_opened";
}

export interface StreamClosedEvent extends AboutStream {
  readonly type: "stream_closed";
  /**
   * - `left`: the reader went.
   * - `ended`: the server ended it: a run was over, rights were gone, the server drains.
   * - `cut`: the reader did not read what was sent.
   */
  readonly reason: "left" | "ended" | "cut";
  readonly duration: number;
}

interface AboutRun {
  readonly requestId?: string;
  /** The agent's name in the address. */
  readonly agent: string;
  readonly threadId: string;
  readonly runId: string;
  readonly actor: Actor;
}

/** A run began, after those before it on its thread. */
export interface RunStartedEvent extends AboutRun {
  readonly type: "run_started";
  /** How long it waited for them. */
  readonly queued: number;
}

export interface RunEndedEvent extends AboutRun {
  readonly type: "run_ended";
  /** `aborted`: it was stopped before its agent ended it. `AgentRun.signal` lists why. */
  readonly outcome: "finished" | "failed" | "aborted";
  readonly duration: number;
}

/** The event loop was held up: no request was answered for this long. */
export interface StallEvent {
  readonly type: "stall";
  readonly duration: number;
}

/** An error that `onError` gets too. */
export interface ErrorEvent {
  readonly type: "error";
  readonly error: unknown;
  readonly requestId?: string;
}

export interface DrainEvent {
  readonly type: "drain_started" | "drain_ended";
  /** How many requests and runs were cut; of `drain_ended`. */
  readonly cut?: number;
}

export type ServerEvent =
  | RequestEvent
  | ServerSubmissionEvent
  | StreamOpenedEvent
  | StreamClosedEvent
  | RunStartedEvent
  | RunEndedEvent
  | StallEvent
  | ErrorEvent
  | DrainEvent;
