// Runs of the other servers that share the log. A run is executed by the server that owns its
// thread, and stays there when the thread gets another owner.
//
// Invariants:
// - A request that another server passed on is answered here, or refused.
// - A run that is under way somewhere is not begun again by the request that began it.

import { sameActor } from "@opstate/core/thread";
import { defined } from "@opstate/core";
import type { Context } from "hono";
import { Problem } from "../http/problem.ts";
import { routedThread } from "../owners/owned-threads.ts";
import type { NodeAnswer, OtherNodes } from "../owners/other-nodes.ts";
import type { PassedRequest } from "../owners/passed-request.ts";
import type { Environment } from "../routes/environment.ts";
import { passedOf } from "../routes/passed-of.ts";
import type { ListedRun, RunsPage } from "./list-of-runs.ts";
import { begunBefore, continuedAlready } from "./earlier-run.ts";
import type { Run } from "./run-stream.ts";

export interface ElsewhereServices {
  /** Absent where this server is the only one. */
  readonly otherNodes: OtherNodes | undefined;
  /** Aborts when the server begins to drain. */
  readonly draining: AbortSignal;
}

/**
 * The answer of the server that has the run, or is to begin it. Undefined when that is this one.
 */
export async function runElsewhere(
  context: Context<Environment>,
  run: Run,
  body: object,
  { otherNodes }: ElsewhereServices,
): Promise<Response | undefined> {
  if (otherNodes === undefined || begunBefore(run) !== undefined) return undefined;
  const { passedOn } = context.env;
  if (passedOn) {
    if (await otherNodes.owns(run.thread, passedOn.epoch)) return undefined;
    throw new Problem("not_owner", "This server does not own the thread any more.");
  }
  const passed = { ...passedOf(context), body: () => JSON.stringify(body) };
  // It answers in text, which is translated here.
  passed.headers.set("accept", "text/event-stream");
  // The thread may have had another owner when the run was begun.
  const mayHaveBegun = run.isDetached || run.continues !== undefined;
  const found = mayHaveBegun ? await lists(otherNodes, runsOf(passed, run)) : [];
  if (found instanceof Response) return found;
  const node = whoHas(run, found);
  const begun = node && (await otherNodes.at(node, passed));
  return begun ?? otherNodes.ofOwner(routedThread(run.thread), passed);
}

/** The answer of another server that has the run. Undefined when none has. */
export async function findElsewhere(
  context: Context<Environment>,
  { otherNodes, draining }: ElsewhereServices,
): Promise<Response | undefined> {
  if (context.env.passedOn) return undefined;
  const passed = passedOf(context);
  // The reader of a run comes back when it ends, so a drain does not wait for it.
  return otherNodes?.find(passed.method === "POST" ? passed : { ...passed, until: draining });
}

/** The pages of the thread's runs that the others list, or the answer of one that fails. */
export async function listElsewhere(
  context: Context<Environment>,
  { otherNodes }: ElsewhereServices,
): Promise<readonly RunsPage[] | Response> {
  if (otherNodes === undefined || context.env.passedOn) return [];
  return lists(otherNodes, { ...passedOf(context), method: "GET" });
}

interface NodeRuns extends RunsPage {
  readonly node: NodeAnswer["node"];
}

async function lists(otherNodes: OtherNodes, passed: PassedRequest): Promise<readonly NodeRuns[] | Response> {
  const answers = await otherNodes.all(passed);
  if (answers instanceof Response) return answers;
  // What another server of the log answers is what this one would.
  return answers.map(({ node, json, isPart }) => ({ node, isPart, infos: json as readonly ListedRun[] }));
}

/**
 * The server that has the detached run which is requested. Throws a Problem as `checkContinued`.
 */
function whoHas({ input, actor, continues }: Run, found: readonly NodeRuns[]): NodeAnswer["node"] | undefined {
  const isOwn = (info: ListedRun): boolean => sameActor(info.actor, actor);
  const has = found.find(({ infos }) =>
    infos.some((info) => info.runId === input.runId && info.detached && isOwn(info)),
  );
  if (has !== undefined || continues === undefined) return has?.node;
  const next = found.flatMap(({ infos }) => infos).find((info) => info.continues === continues && isOwn(info));
  if (next !== undefined) throw continuedAlready(continues, next.runId);
  return undefined;
}

/** The request for that run, and for one that continues the same, beside that of the run. */
function runsOf(passed: PassedRequest, { thread, input, continues }: Run): PassedRequest {
  const url = new URL(passed.url);
  const path = `/threads/${encodeURIComponent(thread.threadId)}/runs`;
  url.pathname = url.pathname.replace(/\/ag-ui\/[^/]*$/, () => path);
  const query = new URLSearchParams({ messages: "false", runId: input.runId, ...defined({ continues }) });
  url.search = query.toString();
  return { ...passed, method: "GET", url: url.href, body: () => "" };
}
