// The transport to an AG-UI server: one POST for each run, server-sent events back. Runs in
// browsers and in Node.

import { createParser } from "eventsource-parser";
import { type AgentTransport, AgentTransportError } from "./agent-transport.ts";

type RequestHeaders = Readonly<Record<string, string>>;

export interface HttpAgentOptions {
  /** Where runs are posted, such as "https://agents.example.com/ag-ui/kanban". */
  readonly url: string;
  /** Sent with every request. A function is called for each one, so that a token can be fresh. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The longest part of a server's error message that is shown, in characters. */
const DETAIL_LIMIT = 500;

/**
 * A transport to an AG-UI server. A session with a `url` makes one itself.
 *
 * @example
 * ```ts
 * import { ChatSession, httpAgent } from "@opstate/ag-ui";
 *
 * const session = new ChatSession({ transport: httpAgent({ url: "https://agents.example.com/ag-ui/kanban" }), threadId: "launch" });
 * session.getState().phase; // "idle"
 * ```
 */
export function httpAgent({
  url,
  headers = {},
  fetch = (input, init) => globalThis.fetch(input, init),
}: HttpAgentOptions): AgentTransport {
  return async function* run(input, { signal }) {
    const requestHeaders = typeof headers === "function" ? await headers() : headers;
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...requestHeaders },
      body: JSON.stringify(input),
      signal,
    });
    if (!response.ok) throw new AgentTransportError(`http_${response.status}`, await errorDetail(response));
    if (response.body === null) throw new AgentTransportError("no_body", "The server answered without a body.");
    yield* readEvents(response.body);
  };
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void> {
  let frames: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void frames.push(data) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      const complete = frames;
      frames = [];
      for (const frame of complete) yield parsed(frame);
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
