// The verdict of a tool call, for its line in the conversation; of a proposed one, what became of
// it.

import type { Actor } from "@opstate/core";
import { isApprove } from "@opstate/core/log";
import type { ProposalStatus } from "@opstate/core/thread";
import type { IconName } from "@opstate/ui/icons.ts";
import { nameOf } from "../actor-name.ts";
import { DONE_DIFFERENTLY } from "../proposals/decisions.ts";
import type { ProposalLine } from "../proposals/lines.ts";
import type { Call } from "./transcript.ts";

export interface CallVerdict {
  readonly kind: "proposed" | "accepted" | "declined" | "refused" | "answered" | "running" | "stopped";
  /** Absent while the call is running. */
  readonly icon?: IconName;
  readonly text: string;
  readonly reason?: string | undefined;
}

export function verdictOf({ result, outcome }: Call, running: boolean): CallVerdict {
  if (outcome?.kind === "proposed") return PROPOSED;
  if (outcome?.changedNothing) return { kind: "accepted", icon: "check", text: "Nothing to change" };
  if (outcome?.kind === "accepted") return { kind: "accepted", icon: "check", text: "Accepted" };
  if (outcome) return { kind: "refused", icon: "cross", text: "Refused", reason: outcome.message };
  if (result !== undefined) return { kind: "answered", icon: "check", text: "Answered" };
  return running ? { kind: "running", text: "Asking" } : { kind: "stopped", icon: "cross", text: "Stopped" };
}

/** Of an open proposal, on the board or on a branch. */
export function waitingVerdict(
  { stale, problem }: Pick<ProposalLine, "stale" | "problem">,
  onBranch = false,
): CallVerdict {
  if (problem !== undefined) return { kind: "proposed", icon: "warning", text: "No longer possible", reason: problem };
  if (stale) return { kind: "proposed", icon: "warning", text: "Changed since it was proposed" };
  return { kind: "proposed", icon: "clock", text: `Proposed${onBranch ? " on the branch" : ""}, waiting for you` };
}

/** Of a proposal that is not open, as far as that is known. `user` is the person who looks. */
export function decidedVerdict(status: ProposalStatus | undefined, user: string): CallVerdict {
  if (status?.status === "expired")
    return { kind: "declined", icon: "cross", text: "No longer possible: it waited too long" };
  if (status?.status !== "decided") return PROPOSED;
  const { how, by, reason = "", commit } = status;
  const who = byName(by, user);
  if (how === "approved") {
    const { operation } = commit;
    const anyway = isApprove(operation) && operation.anyway === true ? " anyway" : "";
    return { kind: "accepted", icon: "check", text: `Accepted${anyway} by ${who}` };
  }
  if (how === "taken_back") return { kind: "declined", icon: "cross", text: `Taken back by ${who}` };
  if (reason.startsWith(DONE_DIFFERENTLY))
    return {
      kind: "accepted",
      icon: "pencil",
      text: `Done differently by ${who}`,
      reason: reason.slice(DONE_DIFFERENTLY.length),
    };
  return {
    kind: "declined",
    icon: "cross",
    text: `Declined by ${who}`,
    reason: reason === "" ? undefined : `'${reason}'`,
  };
}

const PROPOSED: CallVerdict = { kind: "proposed", icon: "clock", text: "Proposed" };

function byName(actor: Actor, user: string): string {
  if (actor.kind === "user" && actor.id === user) return "you";
  return actor.kind === "agent" ? "the agent" : nameOf(actor, user);
}
