// What became of a proposal, as the log says: it is open, or a commit ended it.

import { isApprove, isDecision, isUndo, type Actor, type Commit, type Rejection, type Thread, type Verdict } from "@opstate/core";
import { truncatedJson } from "../fields/describe-changes.ts";

const PAGE = 500;
const MAX_REASON_CHARACTERS = 1_000;

export type ProposalOutcome =
  | { readonly is: "open" }
  /** By a `$approve`, a `$decline`, or the `$undo` of the proposal. */
  | { readonly is: "ended"; readonly by: Commit }
  /** It is not open, and the history that would tell why was compacted. */
  | { readonly is: "gone"; readonly version: number };

export async function proposalOutcome(thread: Thread, proposal: Commit): Promise<ProposalOutcome> {
  const open = await thread.proposals();
  if (open.some(({ version }) => version === proposal.version)) return { is: "open" };
  for (let after = proposal.version, more = true; more;) {
    const page = await thread.history({ after, limit: PAGE });
    const commits = page.flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    const by = commits.find(({ operation }) => ends(operation, proposal.version));
    if (by !== undefined) return { is: "ended", by };
    after = commits.at(-1)?.version ?? after;
    more = page.length === PAGE;
  }
  return { is: "gone", version: thread.version };
}

/** The verdict on a proposal that is not open. */
export function verdictOf({ operation, actor }: Commit, outcome: Exclude<ProposalOutcome, { is: "open" }>): Verdict {
  if (outcome.is === "gone") return lostVerdict(operation.type, outcome.version);
  const { by } = outcome;
  if (isApprove(by.operation)) return { accepted: true, version: by.version, commit: by };
  const reason =
    "reason" in by.operation && typeof by.operation.reason === "string"
      ? truncatedJson(by.operation.reason, MAX_REASON_CHARACTERS)
      : "";
  const isOwn = isUndo(by.operation) || actorName(by.actor) === actorName(actor);
  const what = isOwn ? "withdrew the proposal" : "declined it";
  const message = `${actorName(by.actor)} ${what}${reason === "" ? "." : `, and said: ${reason}`}`;
  return refusal(by.version, operation.type, isOwn ? "withdrawn" : "declined", message);
}

/** An open proposal is never compacted: one that the log has no commit of was decided. */
export function lostVerdict(type: string, version: number): Verdict {
  return refusal(
    version,
    type,
    "decided",
    "The proposal was decided, but the history that says how was compacted. Check the current state.",
  );
}

/** The operation that a proposal's commit proposes. */
export function proposedOperation({ operation }: Commit): { readonly type: string } {
  return "operation" in operation ? (operation.operation as { readonly type: string }) : operation;
}

/** `user "ada"` */
export function actorName({ kind, id }: Actor): string {
  return `${kind} ${JSON.stringify(id)}`;
}

/** A verdict that no reducer gave: the operation was not tried. */
function refusal(version: number, type: string, reason: string, message: string): Verdict {
  const rejection: Rejection = { code: "refused", reason, message, operation: { type } };
  return { accepted: false, version, rejection, attempt: 1 };
}

function ends(operation: Commit["operation"], proposedAt: number): boolean {
  if (isDecision(operation)) return operation.proposedAt === proposedAt;
  return isUndo(operation) && operation.versions.includes(proposedAt);
}
