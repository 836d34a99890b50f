// Who comes in: every request is identified before any route runs, and the application may be told.

import { defined } from "@opstate/core";
import type { Context } from "hono";
import { authenticate, type Authorize, type RequestAccess, withBranchRights } from "../http/access.ts";
import { checkLoopbackHost, checkOrigin } from "../http/host-guard.ts";
import { Problem } from "../http/problem.ts";
import type { Rechecks } from "../http/rechecks.ts";
import type { Quotas } from "../quotas/quotas.ts";
import { type App, type Environment, routeOf, type Told } from "./environment.ts";
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
    const tell = audit && teller(audit, context);
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
        tell &&
          ((threadId, right, isGranted) =>
            tell({
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
        tell?.({ ...defined({ threadId: threadIdIn(context) }), outcome: "refused", code: error.code });
      throw error;
    });
    const { actor } = access;
    const asking = { actor, requestId: context.var.requestId, method: context.req.method, route: routeOf(context) };
    await quotas.admitRequest(asking).catch((error: unknown) => {
      if (error instanceof Problem)
        tell?.({ actor, ...defined({ threadId: threadIdIn(context) }), outcome: "refused", code: error.code });
      throw error;
    });

    /** Only what is refused now is told: that it was allowed was told when it began. */
    async function identifyAgain() {
      const found = await identify(
        tell &&
          ((threadId, right, isGranted) => {
            if (!isGranted) tell({ actor, threadId, right, outcome: "ended", code: "not_allowed" });
          }),
      ).catch((error: unknown) => {
        if (error instanceof Problem)
          tell?.({ actor, ...defined({ threadId: threadIdIn(context) }), outcome: "ended", code: error.code });
        throw error;
      });
      return found.access;
    }

    context.set("asking", asking);
    context.set("direct", direct);
    context.set("access", access);
    if (tell) context.set("tell", (told) => tell({ actor, ...told }));
    context.set("since", since);
    context.set("identify", identifyAgain);
    await next();
  });
}

function teller(audit: Audit, context: Context<Environment>): (told: Told) => void {
  const { requestId } = context.var;
  const { method } = context.req;
  const route = routeOf(context);
  return (told) => void audit({ at: new Date().toISOString(), requestId, method, route, ...told });
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
