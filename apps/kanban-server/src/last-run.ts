// The agent's last run of a conversation, found in the log: its commits have the ids of the
// conversation's tool calls. The log is read newest first, so an undo is seen before what it undid.

import type { Actor, Commit, Thread } from "@opstate/core";
import { isApprove, isUndo, versionsIn } from "@opstate/core/log";
import { sameActor } from "@opstate/core/thread";
import type { board } from "@opstate/kanban-domain";

export interface LastRun {
  readonly runId: string;
  /** The agent's commits in it, oldest first. */
  readonly commits: readonly Commit[];
  /** Whether it is undone already, or was itself only an undo. */
  readonly isTakenBack: boolean;
  /** The actors who accepted its proposals. */
  readonly acceptedBy: readonly Actor[];
}

export interface LastRunOptions {
  readonly actor: Actor;
  readonly toolCallIds: ReadonlySet<string>;
}

const PAGE_SIZE = 200;
/** It reads at most this many pages. */
const MAX_PAGES = 10;

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
      const { operation } = commit;
      if (isUndo(operation) && !isUndone) for (const version of versionsIn(operation.versions)) takenBack.add(version);
      if (isApprove(operation) && !isUndone) approvals.set(operation.proposedAt, commit.actor);
      const isOwn = sameActor(commit.actor, actor) && commit.runId !== undefined;
      if (!isOwn || (found[0] !== undefined && commit.runId !== found[0].runId)) continue;
      // An undo that was itself undone does not count.
      const isOfConversation = toolCallIds.has(commit.toolCallId ?? "") && !(isUndo(operation) && isUndone);
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
    isTakenBack: isUndo(newest.operation) || found.every(({ version }) => takenBack.has(version)),
    acceptedBy: found.flatMap(({ version }) => approvals.get(version) ?? []),
  };
}
