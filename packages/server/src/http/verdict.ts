// A verdict as an answer: what was accepted with status 200, what was refused as a problem
// document.
//
// Invariant: who may write but not read is told nothing of the state but why it refused an
// operation.

import { isPropose, type Verdict } from "@opstate/core";
import { type Access, grants } from "./access.ts";
import { rejectionResponse } from "./problem.ts";

type Shown = (verdict: Verdict) => object;

/** How a verdict is shown to whoever asks. */
export async function shownTo(access: Access, threadId: string): Promise<Shown> {
  return (await grants(access, threadId, "read")) ? (verdict) => verdict : withoutPatches;
}

export function verdictResponse(verdict: Verdict, shown: Shown = (whole) => whole): Response {
  if (!verdict.accepted) return rejectionResponse(verdict);
  return new Response(JSON.stringify(shown(verdict)), { headers: { "content-type": "application/json" } });
}

/**
 * A patch holds what was there: the inverse always, the forward one when something moved or was
 * derived; so does a proposal's operation.
 */
function withoutPatches(verdict: Verdict): object {
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
