// Submissions over HTTP. One submission gets its verdict as status and body; a list gets the list
// of its verdicts.

import type { Actor, Thread, Verdict } from "@opstate/core";
import { readJson } from "../http/json-body.ts";
import { verdictResponse, verdictViewFor } from "../http/verdict.ts";
import { type App, type Services, threadIdWith } from "./environment.ts";
import { parsePosted, parsePostedList, type Posted } from "./submission.ts";

export function operationRoutes(app: App, { threads, quotas, operationLimits }: Services): void {
  app.post("/threads/:id/operations", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    const view = await verdictViewFor(access, threadId);
    const { thread } = await threads.get(threadId);
    const body = await readJson(context.req.raw, operationLimits);
    if (Array.isArray(body)) {
      const list = parsePostedList(body);
      await quotas.admitSubmissions(context.var.asking, threadId, list.length);
      const verdicts = await Promise.all(list.map((posted) => submit(thread, posted, access.actor)));
      return context.json(verdicts.map(view));
    }
    const posted = parsePosted(body);
    await quotas.admitSubmissions(context.var.asking, threadId, 1);
    const verdict = await submit(thread, posted, access.actor);
    return verdictResponse(verdict, view);
  });
}

/** Passes on the fields of a submission and the authenticated actor, and nothing else of a body. */
export function submit(thread: Thread, { operation, ...options }: Posted, actor: Actor): Promise<Verdict> {
  return thread.submit(operation, { ...options, actor });
}
