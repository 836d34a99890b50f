// The transport to an AG-UI server: one POST for each run, server-sent events back. Runs in
// browsers and in Node.

import type { RunAgentInput } from "@ag-ui/core";
import { defined } from "@opstate/core";
import type { AgentTransport } from "./agent-transport.ts";
import { type EventConnection, followEvents } from "./http-events.ts";

type RequestHeaders = Readonly<Record<string, string>>;

export interface HttpAgentOptions {
  /** Where runs are posted, such as "https://agents.example.com/ag-ui/kanban". */
  readonly url: string;
  /** Sent with every request. A function is called for each one, so that a token can be fresh. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Asks the server to let runs go on when the page leaves or loses its connection, and reads on
   * where it was. Default true: a server that does not know this ignores it. It needs the address
   * of an opstate server, which ends with "/ag-ui/" and the agent's name.
   */
  readonly detached?: boolean;
}

/** The address of an agent of an opstate server. */
const AGENT_URL = /\/ag-ui\/[^/?#]+\/?([?#].*)?$/;

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
  detached = true,
}: HttpAgentOptions): AgentTransport {
  async function request(to: string, init: RequestInit): Promise<Response> {
    const requestHeaders = typeof headers === "function" ? await headers() : headers;
    return fetch(to, { ...init, headers: { ...init.headers, ...requestHeaders } });
  }

  const post = (to: string, input: RunAgentInput, signal: AbortSignal) =>
    request(to, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(input),
      signal,
    });

  if (!detached || !AGENT_URL.test(url))
    return (input, { signal }) => followEvents((from) => post(url, input, from), signal);

  const base = url.replace(AGENT_URL, "");
  const runUrl = ({ threadId, runId }: { readonly threadId: string; readonly runId: string }) =>
    `${base}/threads/${encodeURIComponent(threadId)}/runs/${encodeURIComponent(runId)}`;

  function connectionTo(run: { readonly threadId: string; readonly runId: string }): EventConnection {
    return {
      open: (after, signal) =>
        request(`${runUrl(run)}?after=${after}`, { headers: { accept: "text/event-stream" }, signal }),
      // The page may be about to close. What does not arrive is stopped by the server's own limits.
      stop: () => void request(`${runUrl(run)}/stop`, { method: "POST", keepalive: true }).catch(() => {}),
    };
  }

  return Object.assign(
    ((input, { signal, onDetached, continues }) =>
      followEvents(
        (from) => post(withQuery(url, { detached: "true", ...defined({ continues }) }), input, from),
        signal,
        {
          ...connectionTo(input),
          onResumable: onDetached,
        },
      )) satisfies AgentTransport,
    {
      runs: {
        read(run, { signal }) {
          const connection = connectionTo(run);
          return followEvents((from) => connection.open(0, from), signal, { ...connection, isResumable: true });
        },
      } satisfies AgentTransport["runs"],
    },
  );
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const [address = "", hash] = url.split("#");
  const added = new URLSearchParams(query).toString();
  return `${address}${address.includes("?") ? "&" : "?"}${added}${hash === undefined ? "" : `#${hash}`}`;
}
