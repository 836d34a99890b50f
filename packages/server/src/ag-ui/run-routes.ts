// The runs of a thread: which there are, reading one from any point, and stopping one.
//
// A run that is not here may be on another server of the log.
//
// Invariants:
// - A run is shown to the actor who started it, and to other readers of the thread only when its
//   agent says so. All others get 404, as for a run that does not exist.
// - Who may undo the work of others may stop their runs.

import type { AGUIEvent } from "@ag-ui/core";
import { defined } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";
import type { Context } from "hono";
import { isGranted } from "../http/access.ts";
import { jsonList } from "../http/json-list.ts";
import { Problem } from "../http/problem.ts";
import { isOrBranchOf } from "../http/rechecks.ts";
import { wholeNumber } from "../http/whole-number.ts";
import {
  accessCheck,
  type App,
  type Environment,
  jsonResponse,
  lastingAccess,
  type Services,
  streamTarget,
  threadIdWith,
} from "../routes/environment.ts";
import { limitQuery, linkNext, PAGE_SIZE, wrongCursor } from "../routes/pages.ts";
import { preludeOf } from "../runs/prelude.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { ThreadRuns } from "../runs/thread-runs.ts";
import { isPlace, type ListedRun, placeOf, runsAfter } from "./list-of-runs.ts";
import { findElsewhere, listElsewhere } from "./run-elsewhere.ts";
import { followRun, type RunServices } from "./run-stream.ts";

export function runRoutes(app: App, services: Services & RunServices): void {
  const { threads, records, streams, rechecks, quotas, onError } = services;

  async function threadRuns(threadId: string, context: Context<Environment>): Promise<ThreadRuns> {
    if (!context.env.passedOn) return records.of(await threads.get(threadId));
    // Another server asks all: a thread is not opened for that.
    const known = await records.known(threadId);
    if (known === undefined) throw unknownRun(context);
    return known;
  }

  /** The run, or the answer of the server that has it. */
  async function findRun(context: Context<Environment>): Promise<{ runs: ThreadRuns; record: RunRecord } | Response> {
    const threadId = await threadIdWith("read", context);
    const find = async () => {
      const runs = await threadRuns(threadId, context);
      const record = runs.find(context.req.param("runId") ?? "", context.var.access.actor);
      return record === undefined ? undefined : { runs, record };
    };
    const here = await find();
    // Another person's run with that id does not hide their own, which may be elsewhere.
    const isTheirs = here !== undefined && isVisible(here.record, context);
    let found = isTheirs ? here : ((await findElsewhere(context, services)) ?? here);
    // The server that had it may be gone since, and have left it in the store.
    if (services.otherNodes !== undefined) found ??= await find();
    if (found === undefined) throw unknownRun(context);
    return found;
  }

  function isVisible({ head }: RunRecord, context: Context<Environment>): boolean {
    return head.isShared || sameActor(head.actor, context.var.access.actor);
  }

  app.get("/threads/:id/runs", async (context) => {
    const threadId = await threadIdWith("read", context);
    const limit = limitQuery(context, 500, 1_000);
    const after = context.req.query("after") ?? "";
    if (after !== "" && !isPlace(after)) throw wrongCursor();
    // First, since a server that is gone by now has left its runs in the store.
    const elsewhere = await listElsewhere(context, services);
    if (elsewhere instanceof Response) return elsewhere;
    const { all } = await threadRuns(threadId, context);
    const isSought = filterOf(context);
    const here = all.flatMap((record) => (isVisible(record, context) && isSought(record) ? [record.info] : []));
    const { infos, isPart } = runsAfter(after, here, elsewhere);
    const listed = context.req.query("messages") === "false" ? infos.map(withoutMessages) : infos;
    const { json, last } = await jsonList(listed, { signal: context.req.raw.signal, limit, most: PAGE_SIZE });
    const end = last ?? (isPart ? infos.at(-1) : undefined);
    if (end !== undefined) linkNext(context, limit, placeOf(end));
    quotas.spendOnList(context.var.access.actor, json.length);
    return jsonResponse(context, json);
  });

  app.get("/threads/:id/runs/:runId", async (context) => {
    const found = await findRun(context);
    if (found instanceof Response) return found;
    const { record, runs } = found;
    const { served } = runs;
    if (!isVisible(record, context)) throw unknownRun(context);
    const { after, prelude } = placeIn(record, context);
    quotas.spendOnList(context.var.access.actor, record.size);
    const isStarter = sameActor(record.head.actor, context.var.access.actor);
    if (isStarter) record.onRenewed(accessCheck(context, served, ["write", "read"], threads));
    const left = new AbortController();
    const response = followRun(record, after, streamTarget(context), streams, {
      prelude,
      onClose: () => left.abort(),
      onOpen(stream) {
        // A new reader that gets a prelude has the conversation from elsewhere.
        const isOwn = isStarter && prelude.length === 0 && context.req.method !== "HEAD";
        if (isOwn) record.delivery.addReader(stream.delivered);
        const recheck = rechecks.begin({
          ...lastingAccess(context),
          check: accessCheck(context, served, ["read"], threads),
          shows: (threadId) => isOrBranchOf(served.thread, threadId),
          // Not as an event: the run goes on. A reader that comes back gets the reason.
          onRefused: () => stream.disconnect(),
          onError,
        });
        left.signal.addEventListener("abort", () => recheck.close());
        if (context.req.method === "HEAD") stream.end();
      },
    });
    return response;
  });

  app.post("/threads/:id/runs/:runId/stop", async (context) => {
    const found = await findRun(context);
    if (found instanceof Response) return found;
    const { record, runs } = found;
    const { access } = context.var;
    const isStarter = sameActor(record.head.actor, access.actor);
    if (!(isStarter || (await isGranted(access, runs.served.thread.threadId, "undo")))) {
      if (isVisible(record, context))
        throw new Problem("not_allowed", 'Only who started a run may stop it, and who has the right "undo".');
      throw unknownRun(context);
    }
    const { kind, id } = access.actor;
    if (!record.isOver)
      record.onStop({ code: "stopped", message: `The run was ${record.stoppedAfter}, by ${kind} "${id}".` });
    return context.json({ runId: record.head.runId, status: record.status, events: record.length });
  });
}

/** `?runId` and `?continues`: those with one of the two. */
function filterOf({ req }: Context<Environment>): (record: RunRecord) => boolean {
  const [runId, continues] = [req.query("runId"), req.query("continues")];
  if (runId === undefined && continues === undefined) return () => true;
  return ({ head }) => head.runId === runId || (continues !== undefined && head.continues === continues);
}

function withoutMessages(info: ListedRun): ListedRun {
  return defined({ ...info, messages: undefined });
}

function unknownRun(context: Context<Environment>): Problem {
  const [runId, threadId] = [context.req.param("runId") ?? "", context.req.param("id") ?? ""];
  return new Problem("unknown_run", `There is no run "${runId.slice(0, 200)}" on thread "${threadId}".`);
}

/** Where the reader goes on, and what it gets first. */
function placeIn(
  record: RunRecord,
  { req }: Context<Environment>,
): { readonly after: number; readonly prelude: readonly AGUIEvent[] } {
  const from = req.query("from");
  const given = from ?? req.header("last-event-id") ?? req.query("after") ?? "0";
  const after = wholeNumber(given);
  if (after === undefined)
    throw new Problem("invalid_query", "`after` and `from` must be the number of an event, which is its id.");
  const needed = from === undefined ? after : 0;
  if (needed < record.forgotten)
    throw new Problem("compacted", `The first ${record.forgotten} events of the run are not kept any more.`);
  if (from === undefined || after === 0) return { after, prelude: [] };
  // The record has what the server itself wrote, so they are events.
  const events = record.read(0, after).map((json) => JSON.parse(json) as AGUIEvent);
  return { after, prelude: preludeOf(events) };
}
