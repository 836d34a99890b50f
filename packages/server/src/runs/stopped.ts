// The end of a run that the server's own end stopped: how far it came, and whether it can go on.
//
//   ... CUSTOM "opstate.stopped" { runId, steps, calls, continuable }   RUN_ERROR "stopped"
//
// A client that does not know the first event has the second one, as any other.

import { type CustomEvent, EventType } from "@ag-ui/core";
import { STOPPED_EVENT } from "@opstate/ag-ui";

/** How far a run came. */
export interface Progress {
  /** Tool calls with a result. */
  readonly steps: number;
  /** Tool calls that have begun. */
  readonly calls: number;
}

export function stoppedEvent(runId: string, progress: Progress, continuable: boolean): CustomEvent {
  return { type: EventType.CUSTOM, name: STOPPED_EVENT, value: { runId, ...progress, continuable } };
}

/** Whether an event, as JSON, is the one before the end. */
export function isStoppedEvent(json: string | undefined): boolean {
  return json?.includes(`"name":"${STOPPED_EVENT}"`) === true && json.startsWith(`{"type":"${EventType.CUSTOM}"`);
}

/** For a sentence: "stopped after 3 of 6 steps". */
export function inWords({ steps, calls }: Progress): string {
  if (steps === 0) return "stopped before its first step";
  if (calls > steps) return `stopped after ${steps} of ${calls} steps`;
  return `stopped after ${steps} ${steps === 1 ? "step" : "steps"}`;
}
