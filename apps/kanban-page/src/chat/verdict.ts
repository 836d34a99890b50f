// The verdict of a tool call, for its line in the conversation.

import type { IconName } from "@opstate/ui/icons.ts";
import type { Call } from "./transcript.ts";

export interface CallVerdict {
  readonly kind: "proposed" | "accepted" | "refused" | "answered" | "running" | "stopped";
  /** Absent while the call is running. */
  readonly icon?: IconName;
  readonly text: string;
  readonly reason?: string | undefined;
}

export function verdictOf({ result, outcome }: Call, running: boolean): CallVerdict {
  if (outcome?.kind === "proposed") return { kind: "proposed", icon: "clock", text: "Proposed, waiting for you" };
  if (outcome?.changedNothing) return { kind: "accepted", icon: "check", text: "Nothing to change" };
  if (outcome?.kind === "accepted") return { kind: "accepted", icon: "check", text: "Accepted" };
  if (outcome) return { kind: "refused", icon: "cross", text: "Refused", reason: outcome.message };
  if (result !== undefined) return { kind: "answered", icon: "check", text: "Answered" };
  return running ? { kind: "running", text: "Asking" } : { kind: "stopped", icon: "cross", text: "Stopped" };
}
