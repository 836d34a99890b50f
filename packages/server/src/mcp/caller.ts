// The sender of an MCP request, as the endpoint sees them.

import type { Thread } from "@opstate/core";
import type { Context } from "hono";
import { isGranted, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { isOrBranchOf } from "../http/rechecks.ts";
import { accessCheck, type Environment, lastingAccess, type Services } from "../routes/environment.ts";
import { toProblem } from "../routes/problem-of-error.ts";
import { checkThreadId } from "../threads/thread-id.ts";
import type { McpCaller } from "./endpoint.ts";

/** Threads that are looked at for a list. */
const LIST_LIMIT = 500;

export function mcpCaller(
  context: Context<Environment>,
  definitions: McpCaller["definitions"],
  services: Services,
): McpCaller {
  const { threads, quotas, onError } = services;
  const { access, direct, asking } = context.var;
  return {
    actor: access.actor,
    definitions,
    async require(threadId, right) {
      await requireRight(access, checkThreadId(threadId), right);
    },
    allows: (threadId, right) => isGranted(access, checkThreadId(threadId), right),
    async thread(threadId) {
      return (await threads.getToRead(checkThreadId(threadId))).thread;
    },
    async threads() {
      const page = await threads.list({ limit: LIST_LIMIT });
      const readable = await Promise.all(page.threads.map(({ threadId }) => isGranted(direct, threadId, "read")));
      return page.threads.filter((_, index) => readable[index]);
    },
    spend: (on) =>
      on === "replay" ? quotas.spendOnReplay(access.actor) : quotas.spendOnList(access.actor, on.characters),
    admit: (threadId, count) => quotas.admitSubmissions(asking, threadId, count),
    follow: (threadIds, onEnd) => follow(context, threadIds, onEnd, services),
    explain: (error) => toProblem(error, onError),
  };
}

async function follow(
  context: Context<Environment>,
  threadIds: readonly string[],
  onEnd: () => void,
  { threads, rechecks, draining, onError }: Services,
): ReturnType<McpCaller["follow"]> {
  const releases: (() => void)[] = [];
  let isOver = false;
  const release = () => {
    isOver = true;
    for (const undo of releases.splice(0)) undo();
  };
  const end = () => {
    if (isOver) return;
    release();
    onEnd();
  };
  try {
    const followed: Thread[] = [];
    for (const threadId of new Set(threadIds)) {
      await requireRight(context.var.access, checkThreadId(threadId), "read");
      const served = await threads.get(threadId);
      const recheck = rechecks.begin({
        ...lastingAccess(context),
        check: accessCheck(context, served, ["read"], threads),
        shows: (id) => isOrBranchOf(served.thread, id),
        onRefused: end,
        onError,
      });
      releases.push(served.hold(), served.thread.onClose(end), () => recheck.close());
      followed.push(served.thread);
    }
    if (draining.aborted) throw new Problem("closing", "The server is closing.");
    draining.addEventListener("abort", end);
    releases.push(() => draining.removeEventListener("abort", end));
    return { threads: followed, release };
  } catch (error) {
    release();
    throw error;
  }
}
