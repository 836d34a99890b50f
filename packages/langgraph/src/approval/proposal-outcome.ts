// What became of a proposal, as the log says: it is open, or a commit ended it.

import {
  type Actor,
  type Commit,
  isApprove,
  isDecision,
  isUndo,
  type Rejection,
  type Thread,
  type Verdict,
} from "@opstate/core";
import { short } from "../fields/changed.ts";

const PAGE = 500;
const REASON_CHARACTERS = 1_000;

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
export function verdictOf({ operation, actor }: Commit, fate: Exclude<ProposalOutcome, { is: "open" }>): Verdict {
  if (fate.is === "gone") return lostVerdict(operation.type, fate.version);
  const { by } = fate;
  if (isApprove(by.operation)) return { accepted: true, version: by.version, commit: by };
  const said =
    "reason" in by.operation && typeof by.operation.reason === "string"
      ? short(by.operation.reason, REASON_CHARACTERS)
      : "";
  const isOwn = isUndo(by.operation) || nameOf(by.actor) === nameOf(actor);
  const what = isOwn ? "took the proposal back" : "declined it";
  const message = `${nameOf(by.actor)} ${what}${said === "" ? "." : `, and said: ${said}`}`;
  return refusal(by.version, operation.type, isOwn ? "withdrawn" : "declined", message);
}

/** An open proposal is never compacted: one that the log has no commit of was decided. */
export function lostVerdict(type: string, version: number): Verdict {
  return refusal(
    version,
    type,
    "decided",
    "It was decided, and the history that says how is gone. Look at the present state.",
  );
}

/** The operation that a proposal's commit proposes. */
export function proposedIn({ operation }: Commit): { readonly type: string } {
  return "operation" in operation ? (operation.operation as { readonly type: string }) : operation;
}

/** `user "ada"` */
export function nameOf({ kind, id }: Actor): string {
  return `${kind} ${JSON.stringify(id)}`;
}

/** A verdict that no reducer gave. */
function refusal(version: number, type: string, reason: string, message: string): Verdict {
  const rejection: Rejection = { code: "refused", reason, message, operation: { type } };
  return { accepted: false, version, rejection, attempt: 1 };
}

function ends(operation: Commit["operation"], proposedAt: number): boolean {
  if (isDecision(operation)) return operation.proposedAt === proposedAt;
  return isUndo(operation) && operation.versions.includes(proposedAt);
}
