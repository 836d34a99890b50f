// The port between a session and an agent: the input of a run goes in, AG-UI events come out.

import type { RunAgentInput } from "@ag-ui/core";

/**
 * Runs an agent. The session checks the events, so they may be any values. An error that it throws
 * ends the run in error. When `signal` aborts, it should end. `httpAgent` is the transport to AG-UI
 * servers.
 */
export interface AgentTransport {
  (input: RunAgentInput, options: TransportOptions): AsyncIterable<unknown>;
  /** Present where runs may go on without their reader. */
  readonly runs?: DetachedRuns;
}

export interface TransportOptions {
  readonly signal: AbortSignal;
  /** To be called when it is known that the run goes on without this reader. */
  readonly onDetached?: () => void;
  /** The id of the stopped run that this one is to go on with. */
  readonly continues?: string;
}

/** Runs that go on without their reader. */
export interface DetachedRuns {
  /**
   * The events of a run that was started before, from the first to the last. When `signal` aborts,
   * the run is to be stopped.
   */
  read(
    run: { readonly threadId: string; readonly runId: string },
    options: { readonly signal: AbortSignal },
  ): AsyncIterable<unknown>;
}

/**
 * Why a stream could not be read. `code` is stable: `http_<status>`, `no_body`, `not_json`, or
 * `run_lost` when the server does not know a run any more that was under way.
 */
export class AgentTransportError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "AgentTransportError";
    this.code = code;
  }
}
