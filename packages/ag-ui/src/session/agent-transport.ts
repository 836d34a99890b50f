// The port between a session and an agent: a run goes in, AG-UI events come out.

import type { RunAgentInput } from "@ag-ui/core";

/**
 * Runs an agent. The events may be anything: the session judges them. What it throws ends the run
 * in error; when `signal` aborts it ends soon, in whatever way. `httpAgent` is the one for AG-UI
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
