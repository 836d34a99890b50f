// The stage that verifies the order of events: an order that the protocol forbids ends the run with
// an error, and so does a stream that ends too early.

import { EventType, type AGUIEvent } from "@ag-ui/core";
import { isWellFormed, run, runError, type Stage } from "./stage.ts";
import { checkOrder } from "./verify-rules.ts";
import { INITIAL_VERIFY_STATE, type VerifyState } from "./verify-state.ts";

/**
 * What {@link verifyEvents} does to a stream, as a pure stage. Expand chunks before it.
 */
export const verifyStage: Stage<VerifyState> = {
  initial: () => INITIAL_VERIFY_STATE,
  step: (state, event) => verify(state, event, isWellFormed(event)),
  end(state) {
    if (state.phase !== "running" && state.phase !== "before") return [];
    const what = state.phase === "running" ? "the run finished" : "a run started";
    return [runError("truncated_stream", `The stream ended before ${what}`)];
  },
};

const STOPPED: VerifyState = { ...INITIAL_VERIFY_STATE, phase: "stopped" };

/** The step when it is known whether the event is well formed. */
export function verify(
  state: VerifyState,
  event: AGUIEvent,
  isWellFormed: boolean,
): readonly [VerifyState, readonly AGUIEvent[]] {
  if (state.phase === "stopped" && event.type !== EventType.RUN_STARTED) return [state, []];
  if (!isWellFormed) return [state, [event]];
  if (event.type === EventType.RUN_ERROR && event.code === "protocol_violation") return [STOPPED, [event]];
  const next = checkOrder(state, event);
  return typeof next === "string" ? [STOPPED, [runError("protocol_violation", next)]] : [next, [event]];
}

/**
 * Passes on the events that come in an order that the protocol allows. The first that does not
 * becomes a RUN_ERROR with code `protocol_violation`, and nothing follows until another run starts.
 * A stream that ends while a run is open gets a RUN_ERROR with code `truncated_stream`. Takes an
 * iterable or an async iterable. Expand chunks first.
 *
 * @example
 * ```ts
 * import { expandChunks, verifyEvents } from "@opstate/ag-ui";
 * import { EventType } from "@ag-ui/core";
 *
 * const started = { type: EventType.RUN_STARTED, threadId: "t", runId: "r" } as const;
 * const last = [...verifyEvents(expandChunks([started]))].at(-1);
 * last?.type === "RUN_ERROR" && last.code; // "truncated_stream"
 * ```
 */
export function verifyEvents(events: Iterable<AGUIEvent>): Generator<AGUIEvent, void, undefined>;
export function verifyEvents(events: AsyncIterable<AGUIEvent>): AsyncGenerator<AGUIEvent, void, undefined>;
export function verifyEvents(events: Iterable<AGUIEvent> | AsyncIterable<AGUIEvent>) {
  return Symbol.asyncIterator in events ? run(verifyStage, events) : run(verifyStage, events);
}
