// Submissions over HTTP: one gets its verdict as status and body, a list gets the list of its verdicts.

import type { Actor, Thread, Verdict } from "@opstate/core";
import { readJson } from "../http/json-body.ts";
import { rejectionResponse } from "../http/problem.ts";
import { parseList, parsePosted, type Posted } from "../submission.ts";
import { type App, type Services, threadIdWith } from "./environment.ts";

export function operationRoutes(app: App, { threads, operationLimits }: Services): void {
  app.post("/threads/:id/operations", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { actor } = context.var.access;
    const { thread } = await threads.get(threadId);
    const body = await readJson(context.req.raw, operationLimits);
    if (Array.isArray(body)) return context.json(await Promise.all(parseList(body).map((posted) => submit(thread, posted, actor))));
    const verdict = await submit(thread, parsePosted(body), actor);
    return verdict.accepted ? context.json(verdict) : rejectionResponse(verdict);
  });
}

/** Only the fields of a submission and the known actor go on: nothing else of a body can reach the thread. */
function submit(thread: Thread, { operation, ...options }: Posted, actor: Actor): Promise<Verdict> {
  return thread.dispatch(operation, { ...options, actor });
}
