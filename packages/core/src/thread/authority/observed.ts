// Submits, and notifies an observer.
//
// Invariant: without an observer, this is the authority's own `submit`.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import type { Verdict } from "../commit.ts";
import { APPROVE, DECLINE, MERGE, PROPOSE, REDACT, UNDO } from "../entries.ts";
import type { ThreadObserver } from "../observe.ts";
import type { Scheduler } from "../pace.ts";
import { typeOf } from "../type-of.ts";
import type { Authority } from "./authority.ts";
import type { ParsedSubmission } from "./parse-submission.ts";
import { SubmissionTiming } from "./timing.ts";

const BUILT_IN = new Set(["$replace", "$batch", "$patch", UNDO, PROPOSE, APPROVE, DECLINE, MERGE, REDACT]);

export type ObservedSubmit = (submission: ParsedSubmission) => Promise<Verdict>;

export interface ObservedThread {
  readonly authority: Pick<Authority, "submit" | "version">;
  readonly definition: AnyDefinition;
  readonly threadId: string;
  readonly scheduler: Scheduler;
}

export function observedSubmit(
  { authority, definition, threadId, scheduler }: ObservedThread,
  observe: ThreadObserver | undefined,
): ObservedSubmit {
  if (observe === undefined) return (submission) => authority.submit(submission);

  return async (submission) => {
    const timing = new SubmissionTiming(scheduler);
    const { actor, id, origin, operation } = submission;
    const report = (verdict: Verdict | undefined) => {
      const rejection = verdict?.accepted === false ? verdict.rejection : undefined;
      try {
        observe({
          type: "submission",
          threadId,
          definition: definition.name,
          operation: nameOf(definition, operation),
          actor,
          id,
          ...origin,
          code: verdict?.accepted === true ? "accepted" : (rejection?.code ?? "failed"),
          ...defined({ reason: rejection?.reason }),
          version: verdict?.version ?? authority.version,
          ...timing.end,
        });
      } catch {
        // What an observer throws must not change what it observes.
      }
    };
    try {
      const verdict = await authority.submit({ ...submission, timing });
      report(verdict);
      return verdict;
    } catch (error) {
      report(undefined);
      throw error;
    }
  };
}

/** Only defined types are named: a sender cannot make an observer count names without end. */
function nameOf({ model }: AnyDefinition, operation: unknown): string {
  const type = typeOf(operation);
  return BUILT_IN.has(type) || model.operations.has(type) ? type : "unknown";
}
