// Who comes in: every request is identified before any route runs, and the application may get a
// report.

import { defined } from "@opstate/core";
import type { Context } from "hono";
import { authenticate, type Authorize, type RequestAccess, withBranchRights } from "../http/access.ts";
import { checkLoopbackHost, checkOrigin } from "../http/host-guard.ts";
import { Problem } from "../http/problem.ts";
import type { Rechecks } from "../http/rechecks.ts";
import type { Quotas } from "../quotas/quotas.ts";
import { type App, type Environment, routeOf, type Reported } from "./environment.ts";
import type { Threads } from "../threads/threads.ts";
import type { Audit } from "../rights/audit.ts";

export interface DoorOptions {
  readonly authorize: Authorize;
  readonly origins: readonly string[];
  /** Without `authorize`: on loopback only. */
  readonly isOpen: boolean;
  readonly threads: Threads;
  readonly rechecks: Rechecks;
  readonly quotas: Quotas;
  readonly closing: AbortSignal;
  readonly audit: Audit | undefined;
}

/** To be called before the routes are added that need an identity. */
export function atTheDoor(app: App, options: DoorOptions): void {
  const { authorize, origins, isOpen, threads, rechecks, quotas, closing, audit } = options;

  app.use(async (context, next) => {
    const request = context.req.raw;
    const report = audit && reporterTo(audit, context);
    const since = rechecks.revision;

    async function identify(onRequired: RequestAccess["onRequired"]) {
      const direct = await authenticate(authorize, request);
      const access = withBranchRights(direct, (threadId) => threads.rightsOwner(threadId));
      return { direct, access: { ...access, ...defined({ onRequired }) } };
    }

    async function enter() {
      if (closing.aborted) throw new Problem("closing", "The server is closing.");
      if (isOpen) checkLoopbackHost(request);
      checkOrigin(request, origins);
      const { direct, access } = await identify(
        report &&
          ((threadId, right, isGranted) =>
            report({
              actor: access.actor,
              threadId,
              right,
              ...(isGranted ? { outcome: "allowed" } : { outcome: "refused", code: "not_allowed" }),
            })),
      );
      return { direct, access };
    }

    const { direct, access } = await enter().catch((error: unknown) => {
      if (error instanceof Problem && error.code !== "closing")
        report?.({ ...defined({ threadId: threadIdIn(context) }), outcome: "refused", code: error.code });
      throw error;
    });
    const { actor } = access;
    const asking = { actor, requestId: context.var.requestId, method: context.req.method, route: routeOf(context) };
    await quotas.admitRequest(asking).catch((error: unknown) => {
      if (error instanceof Problem)
        report?.({ actor, ...defined({ threadId: threadIdIn(context) }), outcome: "refused", code: error.code });
      throw error;
    });

    /** Only what is refused now is reported: that it was allowed was reported when it began. */
    async function identifyAgain() {
      const found = await identify(
        report &&
          ((threadId, right, isGranted) => {
            if (!isGranted) report({ actor, threadId, right, outcome: "ended", code: "not_allowed" });
          }),
      ).catch((error: unknown) => {
        if (error instanceof Problem)
          report?.({ actor, ...defined({ threadId: threadIdIn(context) }), outcome: "ended", code: error.code });
        throw error;
      });
      return found.access;
    }

    context.set("asking", asking);
    context.set("direct", direct);
    context.set("access", access);
    if (report) context.set("report", (reported) => report({ actor, ...reported }));
    context.set("since", since);
    context.set("identify", identifyAgain);
    await next();
  });
}

function reporterTo(audit: Audit, context: Context<Environment>): (reported: Reported) => void {
  const { requestId } = context.var;
  const { method } = context.req;
  const route = routeOf(context);
  return (reported) => void audit({ at: new Date().toISOString(), requestId, method, route, ...reported });
}

/** Where no route has run yet, the path alone says which thread it is about. */
function threadIdIn(context: Context<Environment>): string | undefined {
  const at = routeOf(context).split("/").indexOf(":id");
  const part = at === -1 ? undefined : context.req.path.split("/")[at];
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
