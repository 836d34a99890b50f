// A run as observers see it.
//
// Invariant: without observers, `execute` is all that runs.

import type { RunAgentInput } from "@ag-ui/core";
import { type Actor, defined } from "@opstate/core";
import type { Observers } from "../observe/observers.ts";

export interface ObservedRun {
  readonly name: string;
  readonly input: RunAgentInput;
  readonly actor: Actor;
}

export async function observedRun(
  observers: Observers | undefined,
  { name, input, actor }: ObservedRun,
  queuedAt: number,
  signal: AbortSignal,
  execute: () => Promise<void>,
): Promise<void> {
  if (observers === undefined) return execute();
  const began = performance.now();
  const { threadId, runId } = input;
  const about = { ...defined({ requestId: observers.requestId }), agent: name, threadId, runId, actor };
  const end = (outcome: "finished" | "failed" | "aborted") =>
    observers.emit({ type: "run_ended", ...about, outcome, duration: performance.now() - began });
  await observers.around({ kind: "run", ...about }, async () => {
    observers.emit({ type: "run_started", ...about, queued: began - queuedAt });
    try {
      await execute();
      end(signal.aborted ? "aborted" : "finished");
    } catch (error) {
      end("failed");
      throw error;
    }
  });
}
