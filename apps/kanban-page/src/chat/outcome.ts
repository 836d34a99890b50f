// The verdict in a tool's result, read from its text. A result that is not a verdict is shown
// unchanged.

import { defined } from "@opstate/core";
import { plainMessage } from "@opstate/kanban-domain";

export interface Outcome {
  readonly kind: "accepted" | "refused" | "proposed";
  /** Accepted, and all was so already. */
  readonly changedNothing?: true;
  /** Accepted: what was done. */
  readonly sentence?: string;
  /** The id of what is proposed. */
  readonly proposal?: string;
  readonly message?: string;
}

export function readOutcome(result: string): Outcome | undefined {
  if (/^Accepted: \S+ needed no change\b/.test(result)) return { kind: "accepted", changedNothing: true };
  if (/^Accepted: .*?\bversion \d+\./.test(result))
    return { kind: "accepted", ...defined({ sentence: quoted(/^Done: (".*")$/m.exec(result)?.[1]) }) };
  if (result.startsWith("Proposed as "))
    return { kind: "proposed", ...defined({ proposal: quoted(/^Proposed as (".*?[^\\]")/.exec(result)?.[1]) }) };
  const refused = /^Refused \([^)]*\): (.*)/.exec(result);
  return refused ? { kind: "refused", message: plainMessage(refused[1] ?? "") } : undefined;
}

/** The text in JSON quotes. */
function quoted(json: string | undefined): string | undefined {
  try {
    const text: unknown = JSON.parse(json ?? "null");
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
