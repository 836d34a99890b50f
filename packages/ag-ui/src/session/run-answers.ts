// What a person answers to the interrupts of a run, as the next run's `resume`.

import type { Interrupt, ResumeEntry } from "@ag-ui/core";

/** One answer. `status` is "resolved" unless told; a cancelled one has no payload. */
export interface InterruptAnswer {
  readonly interruptId: string;
  readonly status?: "resolved" | "cancelled";
  readonly payload?: unknown;
}

/**
 * The protocol wants all that is open answered in one run. Throws when an answer is missing or
 * answers nothing.
 */
export function toResume(interrupts: readonly Interrupt[], answers: readonly InterruptAnswer[]): ResumeEntry[] {
  const open = new Set(interrupts.map(({ id }) => id));
  const given = new Set(answers.map(({ interruptId }) => interruptId));
  const missing = [...open].filter((id) => !given.has(id));
  const unknown = [...given].filter((id) => !open.has(id));
  if (missing.length > 0)
    throw new Error(
      `Every open interrupt needs an answer; without one: ${missing.join(", ")}. Cancel what is not to be answered.`,
    );
  if (unknown.length > 0 || answers.length !== given.size)
    throw new Error(`An answer is for one open interrupt; open are: ${[...open].join(", ") || "none"}.`);
  return answers.map(({ interruptId, status = "resolved", payload }) => ({
    interruptId,
    status,
    ...(payload !== undefined && { payload }),
  }));
}
