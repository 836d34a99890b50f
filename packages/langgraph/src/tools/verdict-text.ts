// What a model reads of its verdict: true, short, and enough to go on with.

import type { Rejection, Verdict } from "@opstate/core";
import { changed, short } from "../fields/changed.ts";

const DETAILS_CHARACTERS = 1200;

/** A verdict in the words of whoever gave it. A plain field counts no versions. */
export type VerdictSummary =
  | { readonly accepted: true; readonly version?: number; readonly changed?: string }
  | { readonly accepted: false; readonly version?: number; readonly rejection: Rejection };

/** A thread's verdict. */
export function summarize(verdict: Verdict): VerdictSummary {
  if (!verdict.accepted) return verdict;
  // What was approved may have had nothing to change.
  if (verdict.commit === undefined || verdict.commit.patches.length === 0)
    return { accepted: true, version: verdict.version };
  return { accepted: true, version: verdict.version, changed: changed(verdict.commit.patches) };
}

/**
 * The content of a tool message for a verdict. Starts with "Accepted" or "Refused". `times` is how
 * often the same was refused on this request: the thread's own count has no end, and what was
 * refused in January may be worth a try in March.
 */
export function verdictText({ name }: { readonly name: string }, told: VerdictSummary, times: number): string {
  const { version } = told;
  if (told.accepted) {
    if (told.changed === undefined)
      return `Accepted: ${name} needed no change${version === undefined ? "" : `; it is at version ${version}`}.`;
    return `Accepted: ${name} is ${version === undefined ? "changed" : `now at version ${version}`}.\nChanged: ${told.changed}`;
  }
  const { rejection } = told;
  return [
    `Refused (${rejection.reason ?? rejection.code}): ${rejection.message}`,
    rejection.path === undefined ? "" : `At: ${rejection.path}`,
    rejection.details === undefined ? "" : `Details: ${short(rejection.details, DETAILS_CHARACTERS)}`,
    `${name} is unchanged by this call${version === undefined ? "" : `, at version ${version}`}.`,
    times < 2 ? "" : `This was refused ${times} times: do not try it again, tell the user why it cannot be done.`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}
