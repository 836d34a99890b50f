// Submitting what the reducer alone cannot judge: an undo, a decision on a proposal, a merge.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Authority } from "./authority.ts";
import type { Verdict } from "../commit.ts";
import type { Computed, Head } from "./computed.ts";
import { type ParsedSubmission, parseSubmission } from "./parse-submission.ts";
import type { DispatchOptions } from "../options.ts";

export type Compute = (intake: ParsedSubmission, head: Head) => Computed | Promise<Computed>;

export type SubmitComputed = (
  asked: object,
  options: DispatchOptions,
  compute: Compute,
  effect?: ParsedSubmission["dedupeKey"],
) => Promise<Verdict>;

/** `asked` is what the submission's id stands for. */
export function submitter(
  authority: Authority,
  definition: AnyDefinition,
  mint: { readonly id: () => string; readonly now: () => string },
): SubmitComputed {
  return async (asked, options, compute, effect) => {
    const parsed = parseSubmission(definition, asked, options, mint);
    if (!parsed.ok) return { accepted: false, version: authority.version, rejection: parsed.rejection, attempt: 1 };
    const { submission } = parsed;
    return authority.submit({
      ...submission,
      ...(effect === undefined ? {} : { dedupeKey: effect }),
      compute: async (head) => compute(submission, head),
    });
  };
}
