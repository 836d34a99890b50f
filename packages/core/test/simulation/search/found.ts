// A run that broke a law.

import type { Step } from "../plan.ts";

export interface Found {
  readonly seed: number;
  /** Runs until it was found, this one included. */
  readonly runs: number;
  readonly message: string;
  /** The steps that are needed to break it. */
  readonly steps: readonly Step[];
}

/** The run in words, to be investigated. */
export function describeFound({ seed, message, steps }: Found): string {
  return `Seed ${seed}: ${message}\nThe steps:\n${steps.map((step) => JSON.stringify(step)).join("\n")}`;
}
