// What a commit does to the open proposals of its thread: the log's index of them and those who
// follow a thread by its commits call this.

import type { AnyOperation } from "../../engine/operation.ts";
import { isDecision, isPropose, isUndo, type ProposeOperation } from "../entries.ts";
import { versionsIn } from "../version-ranges.ts";

export type ProposalChange =
  /** The commit's own version and id are those of the proposal. */
  | { readonly kind: "opened"; readonly operation: ProposeOperation }
  /** For good. `closed`: versions of proposals' commits. */
  | { readonly kind: "decided"; readonly closed: Iterable<number> }
  /**
   * Until a later undo takes this one back. It may take back an earlier undo itself: which
   * proposals are open again is read from the log.
   */
  | { readonly kind: "undone"; readonly closed: Iterable<number> };

/** Undefined for a commit after which the same proposals are open. */
export function proposalChange(operation: AnyOperation): ProposalChange | undefined {
  if (isPropose(operation)) return { kind: "opened", operation };
  if (isDecision(operation)) return { kind: "decided", closed: [operation.proposedAt] };
  return isUndo(operation) ? { kind: "undone", closed: versionsIn(operation.versions) } : undefined;
}
