// Runs of the other servers that share the log. A run is executed by the server that owns its
// thread, and stays there when the thread gets another owner.
//
// Invariant: a request that another server passed on is answered here.

import type { Thread } from "@opstate/core";
import type { Context } from "hono";
import { routedThread } from "../owners/owned-threads.ts";
import type { OtherNodes, PassedRequest } from "../owners/other-nodes.ts";
import type { Environment } from "../routes/environment.ts";
import type { RunInfo } from "../runs/run-record.ts";

export interface ElsewhereServices {
  /** Absent where this server is the only one. */
  readonly otherNodes: OtherNodes | undefined;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
}

/** The answer of the server that owns the thread. Undefined when that is this one. */
export async function runByOwner(
  context: Context<Environment>,
  thread: Thread,
  input: object,
  { otherNodes }: ElsewhereServices,
): Promise<Response | undefined> {
  if (context.env.isPassedOn) return undefined;
  return otherNodes?.ofOwner(routedThread(thread), passed(context, JSON.stringify(input)));
}

/** The answer of another server that has the run. Undefined when none has. */
export async function findElsewhere(
  context: Context<Environment>,
  { otherNodes, draining }: ElsewhereServices,
): Promise<Response | undefined> {
  if (context.env.isPassedOn) return undefined;
  // Its reader comes back when it ends, so it is not waited for.
  return otherNodes?.find({ ...passed(context), until: draining });
}

/** The runs of the thread that the others list. */
export async function listElsewhere(
  context: Context<Environment>,
  { otherNodes }: ElsewhereServices,
): Promise<readonly RunInfo[]> {
  if (otherNodes === undefined || context.env.isPassedOn) return [];
  const lists = (await otherNodes.all(passed(context))) as readonly (readonly RunInfo[])[];
  return lists.flat();
}

/** Each run once, oldest first: what is stored is listed by more than one. */
export function merged(infos: readonly RunInfo[]): readonly RunInfo[] {
  const byStart = new Map(infos.map((info) => [`${info.startedAt} ${info.runId}`, info]));
  return [...byStart.values()].toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
}

function passed(context: Context<Environment>, body = ""): PassedRequest {
  const { outgoing } = context.env;
  const breakOff = outgoing && (() => void outgoing.destroy());
  return { request: context.req.raw, requestId: context.var.requestId, body, breakOff };
}
