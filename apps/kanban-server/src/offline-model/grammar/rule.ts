// A rule of the grammar: lines that say the same, and what they mean.

import type { Intent } from "../intent.ts";
import type { Kept } from "./kept.ts";
import { type Pattern, pattern } from "./match.ts";

/** A statement with a question mark asks, and wishes nothing. */
export type Mood = "wish" | "statement";

export interface Rule {
  readonly mood: Mood;
  /** A clause for each line, which a test reads. */
  readonly examples: readonly string[];
  readonly lines: readonly Pattern[];
  readonly means: (kept: Kept) => Intent | undefined;
}

export function wish(means: Rule["means"], says: Readonly<Record<string, string>>): Rule {
  return { mood: "wish", examples: Object.values(says), lines: Object.keys(says).map(pattern), means };
}

export function statement(means: Rule["means"], says: Readonly<Record<string, string>>): Rule {
  return { ...wish(means, says), mood: "statement" };
}
