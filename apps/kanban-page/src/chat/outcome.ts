// The verdict in a tool's result, read from its text. A result that is not a verdict is shown
// unchanged.

import { plainMessage } from "@opstate/kanban-domain";

export interface Outcome {
  readonly kind: "accepted" | "refused" | "proposed";
  /** Accepted, and all was so already. */
  readonly changedNothing?: true;
  readonly message?: string;
}

export function readOutcome(result: string): Outcome | undefined {
  if (/^Accepted: \S+ needed no change\b/.test(result)) return { kind: "accepted", changedNothing: true };
  if (/^Accepted: .*?\bversion \d+\./.test(result)) return { kind: "accepted" };
  if (result.startsWith("Proposed as ")) return { kind: "proposed" };
  const refused = /^Refused \([^)]*\): (.*)/.exec(result);
  return refused ? { kind: "refused", message: plainMessage(refused[1] ?? "") } : undefined;
}
