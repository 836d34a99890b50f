// The outcome of a proposal, found in one place: approving, declining and `thread.proposal` call
// this.
//
// Invariants:
// - A decision ends a proposal for good, also when it is undone later.
// - An undo ends a proposal only while no later undo takes that undo back.

import { defined } from "../../defined.ts";
import { sameActor } from "../../engine/actor.ts";
import type { Commit } from "../commit.ts";
import {
  isApprove,
  isDecision,
  isDecline,
  isPropose,
  isUndo,
  PROPOSAL_TYPES,
  type ProposeOperation,
} from "../entries.ts";
import type { Log } from "../log/log.ts";
import { versionsIn } from "../version-ranges.ts";
import { readMatching } from "../log/scan.ts";
import type { ProposalStatus } from "../results.ts";
import type { ProposalIndex } from "./undecided.ts";

/** Which proposal is requested. Where two actors used one id, `proposedAt` tells them apart. */
export interface ProposalName {
  readonly proposal: string;
  readonly proposedAt: number | undefined;
}

/** `undecided`: open, or expired. */
export type FoundProposal =
  | { readonly status: "undecided"; readonly commit: Commit<ProposeOperation> }
  | Exclude<ProposalStatus, { readonly proposal: unknown }>;

type Decided = Extract<FoundProposal, { readonly status: "decided" }>;

/** Undefined when the log knows no such proposal. */
export async function findProposal(
  index: ProposalIndex,
  log: Log,
  threadId: string,
  name: ProposalName,
): Promise<FoundProposal | undefined> {
  const { proposal, proposedAt } = name;
  const undecided = (await index.undecided()).filter(
    ({ id, version }) => id === proposal && (proposedAt ?? version) === version,
  );
  const [commit, other] = undecided;
  if (other !== undefined) return { status: "ambiguous", versions: undecided.map(({ version }) => version) };
  return commit === undefined ? findDecided(log, threadId, name) : { status: "undecided", commit };
}

/** Of several decided proposals with one id, the newest. */
async function findDecided(
  log: Log,
  threadId: string,
  { proposal, proposedAt }: ProposalName,
): Promise<Decided | undefined> {
  /** By the version of the proposal. */
  const decisions = new Map<number, Commit>();
  /** What each version was undone by. */
  const undos = new Map<number, Commit>();
  for await (const commit of readMatching(log, threadId, { types: PROPOSAL_TYPES })) {
    const { operation, version } = commit;
    if (isUndo(operation) && !undos.has(version)) {
      for (const at of versionsIn(operation.versions)) if (!undos.has(at)) undos.set(at, commit);
    } else if (isDecision(operation) && operation.proposal === proposal) decisions.set(operation.proposedAt, commit);
    else if (isPropose(operation) && commit.id === proposal && (proposedAt ?? version) === version) {
      const end = decisions.get(version) ?? undos.get(version);
      if (end !== undefined) return decided(end, commit);
    }
  }
  // Compaction may have removed the proposal, and left the decision.
  const end = proposedAt === undefined ? [...decisions.values()][0] : decisions.get(proposedAt);
  return end === undefined ? undefined : decided(end, undefined);
}

/** `proposed` is undefined when compaction took it. */
function decided(commit: Commit, proposed: Commit | undefined): Decided {
  const { operation, actor, version } = commit;
  const isOwn = proposed !== undefined && sameActor(actor, proposed.actor);
  const how = isApprove(operation) ? "approved" : isUndo(operation) || isOwn ? "taken_back" : "declined";
  const reason = isDecline(operation) ? operation.reason : undefined;
  return { status: "decided", how, by: actor, version, ...defined({ reason }), commit };
}
