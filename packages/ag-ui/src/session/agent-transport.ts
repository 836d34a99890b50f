// The port between a session and an agent: the input of a run goes in, AG-UI events come out.

import type { RunAgentInput } from "@ag-ui/core";

/**
 * Runs an agent. The session checks the events, so they may be any values. An error that it throws
 * ends the run in error. When `signal` aborts, it should end. `httpAgent` is the transport to AG-UI
 * servers.
 */
export type AgentTransport = (
  input: RunAgentInput,
  options: { readonly signal: AbortSignal },
) => AsyncIterable<unknown>;

/** Why a stream could not be read. `code` is stable: `http_<status>`, `no_body` or `not_json`. */
export class AgentTransportError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "AgentTransportError";
    this.code = code;
  }
}
