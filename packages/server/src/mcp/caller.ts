// The sender of an MCP request, as the endpoint sees them.

import type { Thread } from "@opstate/core";
import type { Context } from "hono";
import { isGranted, type RequestAccess, requireRight } from "../http/access.ts";
import { Problem } from "../http/problem.ts";
import { isOrBranchOf } from "../http/rechecks.ts";
import { accessCheck, type Environment, identifySame, lastingAccess, type Services } from "../routes/environment.ts";
import { toProblem } from "../routes/problem-of-error.ts";
import { checkThreadId } from "../threads/thread-id.ts";
import type { McpCaller } from "./endpoint.ts";

/** Threads that are looked at for a list. */
const LIST_LIMIT = 500;

export function mcpCaller(
  context: Context<Environment>,
  definitions: McpCaller["definitions"],
  services: Services,
  access: RequestAccess = context.var.access,
): McpCaller {
  const { threads, quotas, onError } = services;
  const { direct, asking } = context.var;
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
    lasts: (onEnd) => lasts(context, onEnd, services),
    again: async () => mcpCaller(context, definitions, services, await identifySame(context)),
    explain: (error) => toProblem(error, onError),
  };
}

function lasts(context: Context<Environment>, onEnd: () => void, services: Services): () => void {
  const { rechecks, onError } = services;
  const hold = new Hold(onEnd);
  hold.untilDrained(services.draining);
  const recheck = rechecks.begin({
    ...lastingAccess(context),
    check: () => identifySame(context),
    shows: () => true,
    onRefused: hold.end,
    onError,
  });
  hold.add(() => recheck.close());
  return hold.release;
}

async function follow(
  context: Context<Environment>,
  threadIds: readonly string[],
  onEnd: () => void,
  { threads, rechecks, draining, onError }: Services,
): ReturnType<McpCaller["follow"]> {
  const hold = new Hold(onEnd);
  try {
    const followed: Thread[] = [];
    for (const threadId of new Set(threadIds)) {
      await requireRight(context.var.access, checkThreadId(threadId), "read");
      const served = await threads.get(threadId);
      const recheck = rechecks.begin({
        ...lastingAccess(context),
        check: accessCheck(context, served, ["read"], threads),
        shows: (id) => isOrBranchOf(served.thread, id),
        onRefused: hold.end,
        onError,
      });
      hold.add(served.hold(), served.thread.onClose(hold.end), () => recheck.close());
      followed.push(served.thread);
    }
    hold.untilDrained(draining);
    return { threads: followed, release: hold.release };
  } catch (error) {
    hold.release();
    throw error;
  }
}

/** What is held for something that lasts. It ends once, from either side. */
class Hold {
  readonly #onEnd: () => void;
  readonly #releases: (() => void)[] = [];
  #isOver = false;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  add(...releases: readonly (() => void)[]): void {
    this.#releases.push(...releases);
    if (this.#isOver) this.release();
  }

  untilDrained(draining: AbortSignal): void {
    if (draining.aborted) throw new Problem("closing", "The server is closing.");
    draining.addEventListener("abort", this.end);
    this.add(() => draining.removeEventListener("abort", this.end));
  }

  readonly release = (): void => {
    this.#isOver = true;
    for (const undo of this.#releases.splice(0)) undo();
  };

  readonly end = (): void => {
    if (this.#isOver) return;
    this.release();
    this.#onEnd();
  };
}
