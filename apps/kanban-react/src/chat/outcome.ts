// What a tool result says became of the operation. Results are words for a model; a result that is no verdict is shown as it is.

export interface Outcome {
  readonly accepted: boolean;
  readonly version?: number;
  readonly message?: string;
}

export function readOutcome(result: string): Outcome | undefined {
  const accepted = /^Accepted: .*\bversion (\d+)\./.exec(result);
  if (accepted) return { accepted: true, version: Number(accepted[1]) };
  const refused = /^Refused \([^)]*\): (.*)/.exec(result);
  return refused ? { accepted: false, message: refused[1] ?? "" } : undefined;
}
