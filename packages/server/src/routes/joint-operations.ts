// Submissions to many threads in one request. Each gets its verdict, or the problem of its thread,
// in its place.
//
// Invariants:
// - Submissions to one thread are accepted in the order of the list. Threads do not wait for each
//   other.
// - A problem of one item, or of its thread, says nothing of the others.
// - A page that says as whom it submits counts as no other actor: the credentials of a page, such
//   as a cookie, may be another actor's by now. Then nothing of the request is accepted.

import type { Actor } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import { requireRight } from "../http/access.ts";
import { readJson } from "../http/json-body.ts";
import { Problem, problemMembers } from "../http/problem.ts";
import { verdictViewFor } from "../http/verdict.ts";
import { checkThreadId } from "../threads/thread-id.ts";
import type { App, Services } from "./environment.ts";
import { submit } from "./operations.ts";
import { toProblem } from "./problem-of-error.ts";
import { checkMembers, checkSender } from "./read-request.ts";
import { LIST_LIMIT, parsePosted, type Posted } from "./submission.ts";

const SHAPE = '{ "thread": "<id>", "operation": ..., "id"?, ... }';
const NAMED_SHAPE = '{ "as": { "kind", "id" }, "submissions": [ ... ] }';

export function jointOperationRoutes(app: App, { threads, quotas, operationLimits, onError }: Services): void {
  app.post("/operations", async (context) => {
    const { access } = context.var;
    const submissions = readSubmissions(await readJson(context.req.raw, operationLimits), access.actor);

    async function open(threadId: string) {
      try {
        await requireRight(access, checkThreadId(threadId), "write");
        const view = await verdictViewFor(access, threadId);
        const { thread } = await threads.get(threadId);
        const count = submissions.filter((item) => isObject(item) && item["thread"] === threadId).length;
        await quotas.admitSubmissions(context.var.asking, threadId, count);
        return { thread, view };
      } catch (error) {
        return toProblem(error, onError);
      }
    }

    /** Opened once for each thread, so that its submissions stay in order. */
    const opened = new Map<string, ReturnType<typeof open>>();

    async function answerOf(item: unknown, index: number): Promise<object> {
      try {
        const { thread: threadId, posted } = parseAddressed(item, `/${index}`);
        const opening = opened.get(threadId) ?? open(threadId);
        opened.set(threadId, opening);
        const found = await opening;
        if (found instanceof Problem) return { problem: problemMembers(found) };
        return found.view(await submit(found.thread, posted, access.actor));
      } catch (error) {
        return { problem: problemMembers(toProblem(error, onError)) };
      }
    }

    return context.json(await Promise.all(submissions.map(answerOf)));
  });
}

/** The list of a body, when it is the actor's own. */
function readSubmissions(body: unknown, actor: Actor): readonly unknown[] {
  let list = body;
  if (isObject(body)) {
    checkMembers(body, ["as", "submissions"]);
    checkSender(body["as"], actor);
    list = body["submissions"];
  }
  if (Array.isArray(list) && list.length > 0 && list.length <= LIST_LIMIT) return list;
  const items = `a list of 1 to ${LIST_LIMIT} submissions ${SHAPE}`;
  throw new Problem("invalid_body", `The body must be ${items}, or ${NAMED_SHAPE} with such a list.`);
}

function parseAddressed(item: unknown, at: string): { readonly thread: string; readonly posted: Posted } {
  const { thread, ...submission } = isObject(item) ? item : {};
  // A bare operation may have a member `thread` of its own.
  if (typeof thread !== "string" || !Object.hasOwn(submission, "operation") || Object.hasOwn(submission, "type"))
    throw new Problem("invalid_body", `The item at ${at} must be ${SHAPE}.`);
  return { thread, posted: parsePosted(submission, at) };
}
