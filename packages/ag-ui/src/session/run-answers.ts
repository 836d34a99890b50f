// A person's answers to the interrupts of a run, as the `resume` of the next run.

import type { Interrupt, ResumeEntry } from "@ag-ui/core";
import { defined } from "@opstate/core";

/** One answer. `status` is "resolved" by default. A cancelled answer has no payload. */
export interface InterruptAnswer {
  readonly interruptId: string;
  readonly status?: "resolved" | "cancelled";
  readonly payload?: unknown;
}

/**
 * The protocol requires all open interrupts to be answered in one run. Throws when an answer is
 * missing, or when one matches no open interrupt.
 */
export function toResume(interrupts: readonly Interrupt[], answers: readonly InterruptAnswer[]): ResumeEntry[] {
  const open = new Set(interrupts.map(({ id }) => id));
  const given = new Set(answers.map(({ interruptId }) => interruptId));
  const missing = [...open].filter((id) => !given.has(id));
  const unknown = [...given].filter((id) => !open.has(id));
  if (missing.length > 0)
    throw new Error(
      `Every open interrupt needs an answer. These have none: ${missing.join(", ")}. Cancel those that you do not want to answer.`,
    );
  if (unknown.length > 0 || answers.length !== given.size)
    throw new Error(`Each answer must match one open interrupt. The open ones are: ${[...open].join(", ") || "none"}.`);
  return answers.map(({ interruptId, status = "resolved", payload }) => ({
    interruptId,
    status,
    ...defined({ payload }),
  }));
}
