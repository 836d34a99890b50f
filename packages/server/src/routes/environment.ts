// What every route has at hand.

import type { ServerResponse } from "node:http";
import { isWellFormed, OpstateError, sameActor } from "@opstate/core";
import type { Context, Hono } from "hono";
import type { Access, Right } from "../http/access.ts";
import { requireRight } from "../http/access.ts";
import type { EventStreams, StreamTarget } from "../http/event-stream.ts";
import { type BodyLimits, type OnStart, readJson } from "../http/json-body.ts";
import { Problem } from "../http/problem.ts";
import type { ServedThread, Threads } from "../threads/threads.ts";

export interface Environment {
  /**
   * `access` knows branches: the rights on one are those on its parent. `direct` asks the
   * application about the very id. `identify` asks anew who sends the request and what they may do,
   * as long as its answer is under way.
   */
  Variables: { access: Access; direct: Access; identify: () => Promise<Access> };
  /** `outgoing` is there only where this package listens itself. */
  Bindings: { outgoing?: ServerResponse };
}

export type App = Hono<Environment>;

export interface Services {
  readonly threads: Threads;
  readonly streams: EventStreams;
  /** For the body of one request with operations. */
  readonly operationLimits: BodyLimits;
  /** For a run's input: messages, and the state that AG-UI clients send along. */
  readonly runLimits: BodyLimits;
  readonly onError: (error: unknown) => void;
}

// Everything printable but what a path or a log line would misread.
const USABLE_ID = /^(?!\.{1,2}$)[^\s/\\?#\p{Cc}]{1,200}$/u;

export function checkThreadId(threadId: string): string {
  if (USABLE_ID.test(threadId) && isWellFormed(threadId)) return threadId;
  throw new Problem(
    "invalid_id",
    "A thread id has 1 to 200 characters, none of them a space, a slash, a backslash, ?, # or half of a surrogate pair.",
  );
}

/** The id of the thread in the path, once the caller is known to have the right on it. */
export async function threadIdWith(right: Right, context: Context<Environment>): Promise<string> {
  const threadId = checkThreadId(context.req.param("id") ?? "");
  await requireRight(context.var.access, threadId, right);
  return threadId;
}

/**
 * Rejects when the request's answer could not be given any more: by another actor, without the
 * rights, or without the thread.
 */
export function checkStanding(
  context: Context<Environment>,
  served: ServedThread,
  rights: readonly Right[],
  threads: Threads,
) {
  const { access, identify } = context.var;
  const { threadId, incarnation } = served.thread;
  return async () => {
    const now = await identify();
    if (!sameActor(now.actor, access.actor))
      throw new Problem("unauthenticated", "The credentials stand for another actor now; come again.");
    for (const right of rights) await requireRight(now, threadId, right);
    const { thread } = await threads.get(threadId);
    if (thread.incarnation !== incarnation)
      throw new Problem("closing", "The thread was deleted and made again meanwhile; come again.");
  };
}

/** Where the answer to this request goes when it is a stream. */
export function streamTarget(context: Context<Environment>): StreamTarget {
  return { headers: context.res.headers, outgoing: context.env.outgoing };
}

/** The body as a JSON object. */
export async function readObject(
  request: Request,
  limits: BodyLimits,
  onStart?: OnStart,
): Promise<Record<string, unknown>> {
  const body = await readJson(request, limits, onStart);
  if (!isObject(body)) throw new Problem("invalid_body", "The body must be a JSON object.");
  return body;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A whole number from the query, at most 15 digits; `otherwise` when it is absent. */
export function integerQuery(context: Context<Environment>, name: string, otherwise: number): number {
  const text = context.req.query(name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,15}$/.test(text))
    throw new Problem("invalid_query", `\`${name}\` must be a whole number, not "${text.slice(0, 40)}".`);
  return Number(text);
}

/** The OpstateErrors that are the request's fault, or over soon, as problems. */
export function requestProblem(error: unknown): Problem | undefined {
  if (!(error instanceof OpstateError)) return undefined;
  const [detail = ""] = error.message.split("\n");
  switch (error.code) {
    case "invalid_pointer":
      return new Problem("invalid_query", detail);
    case "invalid_branch":
    case "invalid_id":
    case "compacted":
      return new Problem(error.code, detail);
    case "closed":
    case "replaced":
      return new Problem("closing", "The thread was closed meanwhile; try again.");
    case "log_unavailable":
      return new Problem(
        error.code,
        "The log is locked or cannot be reached. Send the request again: a submission with an id has one effect.",
      );
    default:
      return undefined;
  }
}
