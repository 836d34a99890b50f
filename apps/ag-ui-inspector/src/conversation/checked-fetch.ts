// A fetch that says why a run could not be read.
//
// A browser does not tell a server that is down from one that refuses the page (CORS). So this
// sends a second request that needs no permission (`no-cors`): if it succeeds, the server is there.

import { AgentTransportError } from "@opstate/ag-ui";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The time limit of the second request. */
const PROBE_TIMEOUT_MS = 5_000;

export function checkedFetch(origin: string, fetch: Fetch = (input, init) => globalThis.fetch(input, init)): Fetch {
  async function isReachable(url: string): Promise<boolean> {
    if (new URL(url).origin === origin) return false;
    return fetch(url, { mode: "no-cors", credentials: "omit", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
      () => true,
      () => false,
    );
  }

  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw (await isReachable(url))
        ? new AgentTransportError("cors", `The server at ${url} does not let this page (${origin}) read its answer.`)
        : new AgentTransportError("unreachable", `Nothing answers at ${url}.`);
    }
    const type = response.headers.get("content-type") ?? "no content type";
    if (response.ok && !type.startsWith("text/event-stream")) {
      await response.body?.cancel();
      throw new AgentTransportError("not_ag_ui", `The address answered with ${type}, where AG-UI has an event stream.`);
    }
    return response;
  };
}
