// Which commits an undo takes back.
//
// Invariant: an id selects the requester's own commit, else the newest of any actor. So no actor
// can use the id of another actor to have the wrong commit undone.

import { defined } from "../../defined.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Commit } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { readBetween, readMatching, scanBackwards } from "../log/scan.ts";
import type { Pace } from "../pace.ts";
import { isUndo, OPSTATE, UNDO } from "../entries.ts";
import { type VersionRanges, versionsIn } from "../version-ranges.ts";
import type { UndoRequest } from "./request.ts";

/** What is known of a selected commit: of the whole of it there may be megabytes. */
export interface Selected {
  readonly version: number;
  /** Who is answerable for it. */
  readonly actor: Actor;
  readonly type: string;
  /** What an undo among them took back. */
  readonly undoes?: VersionRanges;
}

type Selection =
  | { readonly ok: true; readonly commits: readonly Selected[] }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * The selected commits, oldest first. An undo entry among them that took back other selected
 * commits only is left out.
 */
export async function select(
  log: Log,
  threadId: string,
  version: number,
  requester: Actor,
  request: UndoRequest,
  pace: Pace,
): Promise<Selection> {
  const found =
    request.ids === undefined
      ? await byOrigin(log, threadId, version, request, pace)
      : await byIds(log, threadId, version, requester, request, pace);
  if (!found.ok) return found;
  const selected = new Set<number>();
  const commits = found.commits.filter(({ version: at, undoes }) => {
    const redundant =
      request.ids === undefined &&
      undoes !== undefined &&
      [...versionsIn(undoes)].every((undone) => selected.has(undone));
    selected.add(at);
    return !redundant;
  });
  return { ok: true, commits };
}

function selectedOf({ version, actor, operation }: Commit): Selected {
  const undoes = isUndo(operation) ? operation.versions : undefined;
  return { version, actor, type: operation.type, ...defined({ undoes }) };
}

/** By the log's index: it costs as much as the run or the actor did. */
async function byOrigin(
  log: Log,
  threadId: string,
  version: number,
  { runId, actor, since = 0 }: UndoRequest,
  pace: Pace,
): Promise<Selection> {
  const commits: Selected[] = [];
  const filter = defined({ runId, actor });
  for await (const commit of readMatching(log, threadId, { ...filter, after: since, before: version + 1 }, pace))
    commits.push(selectedOf(commit));
  // Compaction may have removed some of them. The floor is read last, so that a compaction
  // meanwhile is seen.
  const floor = (await log.info(threadId))?.floor ?? 0;
  if (floor > since) return { ok: false, rejection: compacted(floor) };
  return { ok: true, commits: commits.reverse() };
}

async function byIds(
  log: Log,
  threadId: string,
  version: number,
  requester: Actor,
  request: UndoRequest,
  pace: Pace,
): Promise<Selection> {
  const { ids = [], actor } = request;
  const receipts = await Promise.all(ids.map((id) => log.receipt(threadId, actor ?? requester, id)));
  const own = new Map(
    receipts.flatMap((receipt) => (receipt?.outcome.accepted === true ? [[receipt.id, receipt.outcome.version]] : [])),
  );
  const unread = () => ids.filter((id) => !own.has(id));
  for (const [id, at] of await forgottenOf(log, threadId, actor ?? requester, unread(), pace)) own.set(id, at);
  for (const [id, at] of await mergedBy(log, threadId, actor ?? requester, unread())) own.set(id, at);
  const others = new Set(actor === undefined ? ids.filter((id) => !own.has(id)) : []);
  const unknown = new Set(actor === undefined ? [] : ids.filter((id) => !own.has(id)));
  const lowest = Math.min(...[...own.values()].filter((at) => at > 0));
  const commits: Selected[] = [];
  let oldest = version + 1;
  for await (const commit of scanBackwards(log, threadId, version, 0, pace)) {
    if (others.size === 0 && commit.version < lowest) break;
    oldest = commit.version;
    // An accepted submission that changed nothing has a version, and no commit.
    if (own.get(commit.id) === commit.version && sameActor(commit.actor, actor ?? requester))
      commits.push(selectedOf(commit));
    else if (others.delete(commit.id)) commits.push(selectedOf(commit));
  }
  if (oldest > 1 && (others.size > 0 || lowest < oldest)) return { ok: false, rejection: compacted(oldest - 1) };
  const missing = [...others, ...unknown];
  if (missing.length === 0) return { ok: true, commits: commits.reverse() };
  const message = `No commit has the id ${missing
    .slice(0, 3)
    .map((id) => `"${id}"`)
    .join(" or ")}. Take the ids from the history.`;
  return {
    ok: false,
    rejection: rejection("conflict", UNDO, message, { reason: "unknown_id", path: "/ids", details: { missing } }),
  };
}

/** The versions of an actor's newest commits with these ids, of those whose receipts are gone. */
async function forgottenOf(
  log: Log,
  threadId: string,
  actor: Actor,
  ids: readonly string[],
  pace: Pace,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  const floor = ids.length === 0 ? 0 : ((await log.info(threadId))?.receiptFloor ?? 0);
  if (floor === 0) return found;
  const wanted = new Set(ids);
  for await (const commit of readMatching(log, threadId, { actor, before: floor + 1 }, pace)) {
    if (!sameActor(commit.actor, actor) || !wanted.delete(commit.id)) continue;
    found.set(commit.id, commit.version);
    if (wanted.size === 0) break;
  }
  return found;
}

/** The versions of an actor's merges with these ids: their receipts are the thread's own. */
async function mergedBy(
  log: Log,
  threadId: string,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const id of ids) {
    const receipt = await log.receipt(threadId, OPSTATE, id);
    if (receipt?.outcome.accepted !== true) continue;
    const { version } = receipt.outcome;
    const [commit] = await readBetween(log, threadId, version - 1, version);
    if (commit?.id === id && sameActor(commit.actor, actor)) found.set(id, version);
  }
  return found;
}

/** Commits at or below the floor of compaction cannot be undone. */
export function compacted(floor: number): Rejection {
  const message = `The log keeps nothing up to version ${floor}, so what was done before cannot be taken back. Undo later work only: its ids, or a run or actor with "since": ${floor}.`;
  return rejection("conflict", UNDO, message, { reason: "compacted", details: { floor } });
}
