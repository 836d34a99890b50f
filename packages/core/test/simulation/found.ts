// A run that broke a law.

import type { Step } from "./plan.ts";

export interface Found {
  readonly seed: number;
  /** Runs until it was found, this one included. */
  readonly runs: number;
  readonly message: string;
  /** The steps that are left. */
  readonly steps: readonly Step[];
}

/** For whoever has to look into it. */
export function describeFound({ seed, message, steps }: Found): string {
  return `Seed ${seed}: ${message}\nSteps that are left:\n${steps.map((step) => JSON.stringify(step)).join("\n")}`;
}
