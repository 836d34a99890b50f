// GET /healthz and GET /readyz, for what watches over the process. They need no credentials and
// show nothing of what is stored.
//
//   /healthz   200 while the process answers at all. A restart is the cure for anything else.
//   /readyz    200 while it should get requests; 503 when it drains, or its log does not answer.

import { Problem } from "../http/problem.ts";
import type { App } from "../routes/environment.ts";
import type { Readiness } from "./readiness.ts";

export interface HealthServices {
  readonly readiness: Readiness;
  /** Aborts when the server begins to drain or close. */
  readonly draining: AbortSignal;
  /** Gets what the log failed with. */
  readonly onError: (error: unknown) => void;
}

export function healthRoutes(app: App, { readiness, draining, onError }: HealthServices): void {
  app.get("/healthz", () => statusResponse("ok"));

  app.get("/readyz", async () => {
    if (draining.aborted) throw new Problem("closing", "The server is closing.");
    const fault = await readiness.fault();
    if (fault === undefined) return statusResponse("ready");
    if (fault.reason === "failed") onError(fault.error);
    const detail = fault.reason === "silent" ? "The log does not answer." : "The log is locked or cannot be reached.";
    throw new Problem("log_unavailable", detail);
  });
}

function statusResponse(status: string): Response {
  return new Response(JSON.stringify({ status }), {
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}
