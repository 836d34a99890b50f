// What became of a proposal, as the log says: it is open, or a commit ended it, or its time did.

import type { Actor, AnyDefinition, Commit, Rejection, Thread, Verdict } from "@opstate/core";
import { short } from "../fields/changed.ts";

const PAGE = 500;
const REASON_CHARACTERS = 1_000;

export type Fate =
  | { readonly is: "open" }
  /** By a `$approve`, a `$decline`, or the `$undo` of the proposal. */
  | { readonly is: "ended"; readonly by: Commit }
  /** Expired, or the history that would tell is gone. */
  | { readonly is: "over"; readonly version: number; readonly why: "expired" | "compacted" };

export async function fateOf(thread: Thread, proposal: Commit): Promise<Fate> {
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
  return { is: "over", version: thread.version, why: thread.floor >= proposal.version ? "compacted" : "expired" };
}

/** The verdict on a proposal that is not open. */
export function verdictOf({ operation, actor }: Commit, fate: Exclude<Fate, { is: "open" }>): Verdict {
  if (fate.is === "over") {
    const message =
      fate.why === "expired"
        ? "The proposal expired before anybody decided on it."
        : "The proposal was decided, and the history that says how is gone. Look at the present state.";
    return refusal(fate.version, operation, fate.why === "expired" ? "expired" : "decided", message);
  }
  const { by } = fate;
  if (by.operation.type === "$approve") return { accepted: true, version: by.version, commit: by };
  const said = "reason" in by.operation && typeof by.operation.reason === "string" ? short(by.operation.reason, REASON_CHARACTERS) : "";
  const isOwn = by.operation.type === "$undo" || nameOf(by.actor) === nameOf(actor);
  const what = isOwn ? "took the proposal back" : "declined it";
  const message = `${nameOf(by.actor)} ${what}${said === "" ? "." : `, and said: ${said}`}`;
  return refusal(by.version, operation, isOwn ? "withdrawn" : "declined", message);
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
function refusal(version: number, operation: { readonly type: string }, reason: string, message: string): Verdict {
  const rejection: Rejection = { code: "refused", reason, message, operation: { type: operation.type } };
  return { accepted: false, version, rejection, attempt: 1 };
}

function ends(operation: Commit["operation"], proposedAt: number): boolean {
  if (operation.type === "$approve" || operation.type === "$decline")
    return "proposedAt" in operation && operation.proposedAt === proposedAt;
  return (
    operation.type === "$undo" && "versions" in operation && Array.isArray(operation.versions) && operation.versions.includes(proposedAt)
  );
}
