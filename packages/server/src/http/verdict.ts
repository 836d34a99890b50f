// A verdict as a response: status 200 when it was accepted, a problem document when it was refused.
//
// Invariant: an actor who may write but not read learns nothing of the state, except why it refused
// an operation.

import type { Verdict } from "@opstate/core";
import { isPropose } from "@opstate/core/log";
import { type Access, isGranted } from "./access.ts";
import { rejectionResponse } from "./problem.ts";

type VerdictView = (verdict: Verdict) => object;

/** Which part of a verdict this sender may see. */
export async function verdictViewFor(access: Access, threadId: string): Promise<VerdictView> {
  return (await isGranted(access, threadId, "read")) ? (verdict) => verdict : withoutState;
}

export function verdictResponse(verdict: Verdict, view: VerdictView = (whole) => whole): Response {
  if (!verdict.accepted) return rejectionResponse(verdict);
  return new Response(JSON.stringify(view(verdict)), { headers: { "content-type": "application/json" } });
}

/**
 * Without the members that hold parts of the state: the inverse patch, the forward patch (when a
 * value moved or was derived), and what a proposal recorded.
 */
function withoutState(verdict: Verdict): object {
  if (!verdict.accepted || !verdict.commit) return verdict;
  const { patches: _, inverse: __, operation, ...commit } = verdict.commit;
  return {
    ...verdict,
    commit: { ...commit, operation: isPropose(operation) ? withoutPrevious(operation) : operation },
  };
}

function withoutPrevious(operation: object): object {
  return Object.fromEntries(Object.entries(operation).filter(([key]) => key !== "patches" && key !== "previous"));
}
