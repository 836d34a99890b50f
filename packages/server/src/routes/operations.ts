// Submissions over HTTP: one gets its verdict as status and body, a list gets the list of its
// verdicts.
//
// Invariant: who may write but not read is told nothing of the state but why it refused an
// operation.

import type { Actor, Thread, Verdict } from "@opstate/core";
import { readJson } from "../http/json-body.ts";
import { shownTo, verdictResponse } from "../http/verdict.ts";
import { parseList, parsePosted, type Posted } from "./submission.ts";
import { type App, type Services, threadIdWith } from "./environment.ts";

export function operationRoutes(app: App, { threads, operationLimits }: Services): void {
  app.post("/threads/:id/operations", async (context) => {
    const threadId = await threadIdWith("write", context);
    const { access } = context.var;
    const shown = await shownTo(access, threadId);
    const { thread } = await threads.get(threadId);
    const body = await readJson(context.req.raw, operationLimits);
    if (Array.isArray(body)) {
      const verdicts = await Promise.all(parseList(body).map((posted) => submit(thread, posted, access.actor)));
      return context.json(verdicts.map(shown));
    }
    const verdict = await submit(thread, parsePosted(body), access.actor);
    return verdictResponse(verdict, shown);
  });
}

/**
 * Only the fields of a submission and the known actor go on: nothing else of a body can reach the
 * thread.
 */
function submit(thread: Thread, { operation, ...options }: Posted, actor: Actor): Promise<Verdict> {
  return thread.dispatch(operation, { ...options, actor });
}
