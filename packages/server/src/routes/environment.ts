// What every route has at hand.

import type { ServerResponse } from "node:http";
import { sameActor } from "@opstate/core/thread";
import type { Context, Hono } from "hono";
import { matchedRoutes } from "hono/route";
import { type Access, type RequestAccess, requireRight, type Right } from "../http/access.ts";
import type { EventStreams, StreamTarget } from "../http/event-stream.ts";
import type { BodyLimits } from "../http/json-body.ts";
import { Problem } from "../http/problem.ts";
import type { LastingAccess, Rechecks } from "../http/rechecks.ts";
import type { JointStreams } from "../joint/joint-streams.ts";
import type { OtherNodes } from "../owners/other-nodes.ts";
import type { Asking, Quotas } from "../quotas/quotas.ts";
import type { AuditEvent } from "../rights/audit.ts";
import type { ServedThread } from "../threads/served-thread.ts";
import type { Threads } from "../threads/threads.ts";
import { checkThreadId } from "../threads/thread-id.ts";

/** What a request alone does not say of an event. */
export type Reported = Omit<AuditEvent, "at" | "requestId" | "method" | "route">;

export interface Environment {
  Variables: {
    requestId: string;
    /** The code of the problem that the request is answered with. */
    problem?: string;
    /** The rights on a branch are those on its parent. */
    access: RequestAccess;
    /** Who asks, and by which request, for the quotas. */
    asking: Asking;
    /** Asks the application about the very thread id, also when it is a branch. */
    direct: Access;
    /** Authenticates the request again, for a response that is still under way. */
    identify: () => Promise<RequestAccess>;
    /** Reports to the application what the door does not see. */
    report?: (reported: Reported) => void;
    /** The `revision` of the rechecks when it was authenticated. */
    since: number;
  };
  /**
   * `outgoing` is set only where this package listens itself, and `passedOn` where another node got
   * the request first: it takes this one for the owner of the thread in that epoch.
   */
  Bindings: { outgoing?: ServerResponse; passedOn?: { readonly epoch: number } };
}

export type App = Hono<Environment>;

export interface Services {
  readonly threads: Threads;
  readonly streams: EventStreams;
  /** The streams of many threads. */
  readonly joint: JointStreams;
  readonly quotas: Quotas;
  /** Absent where this server is the only one. */
  readonly otherNodes: OtherNodes | undefined;
  /** Reads what is stored beside the log and belongs to the thread, so that it goes with it. */
  readonly beforeErasure: (threadId: string) => Promise<void>;
  /** Asks what lasts again. */
  readonly rechecks: Rechecks;
  /** Aborts when the server begins to drain or close: nothing that lasts begins any more. */
  readonly draining: AbortSignal;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  /** For the body of a request with operations. */
  readonly operationLimits: BodyLimits;
  /** For the input of a run: messages, and the state that AG-UI clients send along. */
  readonly runLimits: BodyLimits;
  readonly onError: (error: unknown) => void;
}

/**
 * The thread in the path, for an answer about what it holds: as the log has it now, where several
 * nodes write, and no older than the query's `minVersion`. The answer says which version it was.
 */
export async function threadToRead(context: Context<Environment>, threads: Threads): Promise<ServedThread["thread"]> {
  const threadId = await threadIdWith("read", context);
  const text = context.req.query("minVersion");
  const minVersion = text === undefined ? 0 : Number(/^\d{1,15}$/.test(text) ? text : Number.NaN);
  if (Number.isNaN(minVersion))
    throw new Problem("invalid_query", "`minVersion` must be a version: 0, 1, 2 and so on.");
  const { thread } = await threads.getToRead(threadId, minVersion);
  context.header("opstate-version", String(thread.version));
  return thread;
}

/** The thread id in the path. Throws a Problem when the sender lacks the right on that thread. */
export async function threadIdWith(right: Right, context: Context<Environment>): Promise<string> {
  const threadId = checkThreadId(context.req.param("id") ?? "");
  await requireRight(context.var.access, threadId, right);
  return threadId;
}

/**
 * Returns a check for a response that is still under way. It resolves to what the credentials give
 * now, and rejects with a Problem when the same request would now come from another actor, lack one
 * of the rights, or find another thread.
 */
export function accessCheck(
  context: Context<Environment>,
  served: ServedThread,
  rights: readonly Right[],
  threads: Threads,
): () => Promise<Access> {
  const { threadId, incarnation } = served.thread;
  return async () => {
    const now = await identifySame(context);
    for (const right of rights) await requireRight(now, threadId, right);
    const { thread } = await threads.get(threadId);
    if (thread.incarnation !== incarnation)
      throw new Problem("closing", "The thread was deleted and created again. Connect again.");
    return now;
  };
}

/** What the credentials give now. Rejects with a Problem when they are another actor's. */
export async function identifySame(context: Context<Environment>): Promise<RequestAccess> {
  const { access, identify } = context.var;
  const now = await identify();
  if (sameActor(now.actor, access.actor)) return now;
  throw new Problem("unauthenticated", "The credentials belong to another actor now. Connect again.");
}

/** The access of a response that lasts, for the checks that are made while it does. */
export function lastingAccess(context: Context<Environment>): Pick<LastingAccess, "actor" | "expiresAt" | "since"> {
  const { access, since } = context.var;
  return { actor: access.actor, expiresAt: access.expiresAt, since };
}

/** The pattern of the path, such as "/threads/:id"; "unknown" when there is no such route. */
export function routeOf(context: Context<Environment>): string {
  // A pattern for every path is not a route.
  return matchedRoutes(context).findLast(({ path }) => !path.endsWith("*"))?.path ?? "unknown";
}

/** Where the response goes when it is a stream. */
export function streamTarget(context: Context<Environment>): StreamTarget {
  const { access, requestId } = context.var;
  return {
    headers: context.res.headers,
    outgoing: context.env.outgoing,
    signal: context.req.raw.signal,
    about: { requestId, route: routeOf(context), actor: access.actor },
  };
}

/** The answer whose body is such a text. */
export function jsonResponse(context: Context<Environment>, json: string): Response {
  return context.body(json, 200, { "content-type": "application/json" });
}
