// The last run in which the agent did something for a conversation, as the log tells it: its
// commits bear the ids of the conversation's tool calls. Newest first, so that it is known of each
// commit whether a later one took it back.

import type { Actor, Commit, Thread } from "@opstate/core";
import type { board } from "@opstate/kanban-domain";
import { z } from "zod";

export interface LastRun {
  readonly runId: string;
  /** What the agent did in it, oldest first. */
  readonly commits: readonly Commit[];
  /** Whether it is taken back already, or did nothing but take back another one. */
  readonly isTakenBack: boolean;
  /** Who accepted what it proposed. */
  readonly acceptedBy: readonly Actor[];
}

export interface LastRunOptions {
  readonly actor: Actor;
  readonly toolCallIds: ReadonlySet<string>;
}

const PAGE_SIZE = 200;
/** How far back it looks. */
const MAX_PAGES = 10;

const Undo = z.object({ type: z.literal("$undo"), versions: z.array(z.number()) });
const Approve = z.object({ type: z.literal("$approve"), proposedAt: z.number() });

export async function findLastRun(
  thread: Thread<typeof board>,
  { actor, toolCallIds }: LastRunOptions,
): Promise<LastRun | undefined> {
  if (toolCallIds.size === 0) return undefined;
  const takenBack = new Set<number>();
  const approvals = new Map<number, Actor>();
  let found: Commit[] = [];
  let before = thread.version + 1;
  for (let n = 0; n < MAX_PAGES && before > thread.floor + 1; n += 1) {
    const entries = await thread.history({ before, limit: PAGE_SIZE, order: "descending" });
    const commits = entries.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    const known = found.length;
    for (const commit of commits) {
      before = commit.version;
      const isUndone = takenBack.has(commit.version);
      const undo = Undo.safeParse(commit.operation).data;
      if (undo !== undefined && !isUndone) for (const version of undo.versions) takenBack.add(version);
      const approved = Approve.safeParse(commit.operation).data;
      if (approved !== undefined && !isUndone) approvals.set(approved.proposedAt, commit.actor);
      const isOwn = commit.actor.kind === actor.kind && commit.actor.id === actor.id && commit.runId !== undefined;
      if (!isOwn || (found[0] !== undefined && commit.runId !== found[0].runId)) continue;
      // An undo that was itself taken back is as if it had not been.
      const isOfConversation = toolCallIds.has(commit.toolCallId ?? "") && !(undo !== undefined && isUndone);
      if (found.length > 0 || isOfConversation) found.push(commit);
    }
    if (commits.length < PAGE_SIZE || (known > 0 && found.length === known)) break;
  }
  const [newest] = found;
  if (newest?.runId === undefined) return undefined;
  found = found.toReversed();
  return {
    runId: newest.runId,
    commits: found,
    isTakenBack: newest.operation.type === "$undo" || found.every(({ version }) => takenBack.has(version)),
    acceptedBy: found.flatMap(({ version }) => approvals.get(version) ?? []),
  };
}
