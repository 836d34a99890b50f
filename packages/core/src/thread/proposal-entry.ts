// The commits of proposals, as the log holds them.

import type { Actor } from "../engine/actor.ts";
import type { Patch } from "../patch/index.ts";

/**
 * The operation of a proposal's commit; the commit's id is the proposal's. `patches` is the change
 * that whoever approves it sees, without derived fields, which follow; `previous` says for each of
 * its steps what stood there (`value`, absent for nothing and for a list's new item), and of which
 * item of a list it was a part (`element`).
 */
export interface ProposeOperation {
  readonly type: "$propose";
  readonly operation: { readonly type: string };
  readonly basedOn: number;
  readonly patches: Patch;
  readonly previous: readonly { readonly path: string; readonly value?: unknown; readonly element?: unknown }[];
  /** ISO 8601 in UTC: from then on it cannot be approved. */
  readonly expiresAt?: string;
}

/** The operation of the commit that carries a proposal out. */
export interface ApproveOperation {
  readonly type: "$approve";
  readonly proposal: string;
  readonly proposedAt: number;
  readonly proposer: Actor;
  /** The run that proposed it; the commit's own is that of the approval. */
  readonly runId?: string;
  readonly operation: { readonly type: string };
  /**
   * What it changes was not any more as it was shown with the proposal: whoever approved it did so
   * all the same.
   */
  readonly anyway?: true;
}

/** What is read to know which proposals are open: an undo may take one back. */
export const PROPOSAL_TYPES = ["$propose", "$approve", "$decline", "$undo"] as const;

export function isPropose(operation: { readonly type: string }): operation is ProposeOperation {
  return operation.type === "$propose";
}

export function isApprove(operation: { readonly type: string }): operation is ApproveOperation {
  return operation.type === "$approve";
}

export function isDecision(operation: {
  readonly type: string;
}): operation is { readonly type: string; readonly proposedAt: number } {
  return operation.type === "$approve" || operation.type === "$decline";
}

export function isExpired({ expiresAt }: ProposeOperation, at: string): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.parse(at);
}
