// `POST /api/visits` gives a visitor a board of their own. Before every other route, the requests
// of a visit are counted.

import type { Env, Hono } from "hono";
import type { Visits } from "./visits.ts";

export function visitRoutes<E extends Env>(app: Hono<E>, visits: Visits): void {
  app.use(async ({ req }, next) => {
    const wait = visits.admit(req.raw);
    if (wait === 0) return next();
    return problem(429, "visit_used_up", "This board has had as many requests as a visit may make. Begin a new one.", {
      "retry-after": String(wait),
    });
  });
  app.post("/api/visits", async ({ req }) => {
    // A form of another site cannot send this type.
    if (req.header("content-type")?.split(";")[0]?.trim() !== "application/json")
      return problem(415, "unsupported_media_type", "Send `content-type: application/json`.");
    const visit = await visits.begin();
    if (visit !== undefined)
      return Response.json(visit, {
        status: 201,
        headers: { "cache-control": "no-store", location: `/threads/${visit.threadId}` },
      });
    return problem(429, "too_many_visits", "There are as many visits as this demo keeps. Use the shared board.", {
      "retry-after": "3600",
    });
  });
}

const problem = (status: number, code: string, title: string, headers: Record<string, string> = {}): Response =>
  Response.json(
    { status, code, title },
    { status, headers: { ...headers, "content-type": "application/problem+json" } },
  );
