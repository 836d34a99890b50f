// The verdict in a tool's result, read from its text. A result that is not a verdict is shown
// unchanged.

export interface Outcome {
  readonly kind: "accepted" | "refused" | "proposed";
  /** Accepted, and all was so already. */
  readonly changedNothing?: true;
  readonly version?: number;
  readonly message?: string;
}

export function readOutcome(result: string): Outcome | undefined {
  const needless = /^Accepted: \S+ needed no change(?:; it is at version (\d+))?\./.exec(result);
  if (needless)
    return {
      kind: "accepted",
      changedNothing: true,
      ...(needless[1] !== undefined && { version: Number(needless[1]) }),
    };
  const accepted = /^Accepted: .*?\bversion (\d+)\./.exec(result);
  if (accepted) return { kind: "accepted", version: Number(accepted[1]) };
  if (result.startsWith("Proposed as ")) return { kind: "proposed" };
  const refused = /^Refused \([^)]*\): (.*)/.exec(result);
  return refused ? { kind: "refused", message: refused[1] ?? "" } : undefined;
}
