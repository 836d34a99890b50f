// Two calls with one id. The first one holds the id. A model does not choose its ids, so it reads
// what it can do.

import type { Rejection, Verdict } from "@opstate/core";

export function sameIdRejection(operation: Rejection["operation"], callId: string | undefined): Rejection {
  const message = `Another call had the same id (${JSON.stringify(callId)}), so this one was not carried out. Call the tool again.`;
  return { code: "conflict", reason: "same_id", message, operation };
}

/**
 * Whether the log has something else under the call's id: a proposal instead of the operation, the
 * operation instead of a proposal, or another operation.
 */
export function isIdConflict(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.path === "/id";
}

/** The verdict in words for the model whose call had the id of another one. */
export function sameIdVerdict(verdict: Verdict, callId: string | undefined): Verdict {
  if (verdict.accepted) return verdict;
  return { ...verdict, rejection: sameIdRejection(verdict.rejection.operation, callId) };
}

/** The same of a call whose key (`once`) another call of the step has, with other arguments. */
export function sameKeyVerdict(verdict: Verdict, key: string): Verdict {
  if (verdict.accepted) return verdict;
  const message = `A call of this step had the same key (${JSON.stringify(key)}) with other arguments, so this one was not carried out. Check what the first one did before you do more.`;
  const { operation } = verdict.rejection;
  return { ...verdict, rejection: { code: "conflict", reason: "same_key", message, operation } };
}
