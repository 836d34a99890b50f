// Why a proposal is not open: who decided on it, or that there is none.

import { rejection } from "../../engine/reject.ts";
import type { Rejection } from "../../engine/rejection.ts";
import type { Commit } from "../commit.ts";
import type { Log } from "../log/log.ts";
import { readMatching } from "../log/scan.ts";
import { isDecision, isPropose, isUndo, PROPOSAL_TYPES } from "../entries.ts";

/** `type` is that of the operation that was tried. */
export async function whyNotOpen(
  log: Log,
  threadId: string,
  meant: { readonly proposal: string; readonly proposedAt: number | undefined },
  type: string,
): Promise<Rejection> {
  const { proposal, proposedAt } = meant;
  const over = new Map<number, Commit>();
  for await (const commit of readMatching(log, threadId, { types: PROPOSAL_TYPES })) {
    const { operation } = commit;
    const end = over.get(commit.version);
    if (
      isPropose(operation) &&
      commit.id === proposal &&
      (proposedAt ?? commit.version) === commit.version &&
      end !== undefined
    ) {
      const message = `The proposal was decided by ${end.actor.kind} "${end.actor.id}" at version ${end.version}.`;
      const details = { version: end.version, by: end.operation.type };
      return rejection("conflict", type, message, { reason: "decided", details });
    }
    if (isUndo(operation)) for (const at of operation.versions) over.set(at, commit);
    else if (isDecision(operation)) over.set(operation.proposedAt, commit);
  }
  const message = `No proposal "${proposal}" is open here, nor does the log know of one. Look the open ones up.`;
  return rejection("conflict", type, message, { reason: "unknown_id", path: "/proposal" });
}
