// What a page offers after a stop of the server in the middle of a run: to go on where it was, or
// to take back what it did.

import { type RunState, stoppedRun } from "@opstate/ag-ui";
import type { Log } from "../timeline/log.ts";
import { type RunStep, runStatus } from "../timeline/run-status.ts";

export interface StoppedOffer {
  readonly runId: string;
  readonly words: string;
  readonly continuable: boolean;
  /** Absent when the run changed nothing. */
  readonly undo?: RunStep;
}

/** Undefined when no run was stopped so, and when it is taken back. */
export function stoppedOffer(chat: RunState, log: Pick<Log, "entries" | "undone">): StoppedOffer | undefined {
  const stopped = stoppedRun(chat);
  if (stopped === undefined) return undefined;
  const { runId, steps, calls, continuable } = stopped;
  const edits = log.entries.filter((entry) => entry.runId === runId && entry.accepted && entry.kind !== "decline");
  const { undone, step } = runStatus({ runId, entries: edits, edits }, log, false);
  if (undone) return undefined;
  const far = steps === 0 ? "before its first step" : `after ${steps} of ${calls} step${calls === 1 ? "" : "s"}`;
  const words = `The agent was stopped ${far}: the server ended.`;
  return { runId, words, continuable, ...(step?.icon === "undo" && { undo: step }) };
}
