// What a stage between a stream and the fold is: a pure step from state and event to state and
// events, run over a stream lazily.
//
// A stage judges events that are well formed. Others pass it untouched, so that the fold records
// what is wrong with them.

import { EventType, type AGUIEvent, type RunErrorEvent } from "@ag-ui/core";
import { enforce } from "../enforce/enforce.ts";

/** A step between a stream of events and the fold. All three functions are pure. */
export interface Stage<S> {
  /** The stage's state before a stream's first event. */
  initial(): S;
  /** What follows from one event: the next state, and the events that take its place. */
  step(state: S, event: AGUIEvent): readonly [S, readonly AGUIEvent[]];
  /** What follows from the end of the stream. */
  end(state: S): readonly AGUIEvent[];
}

export type StageErrorCode = "protocol_violation" | "truncated_stream";

/**
 * How a stage reports what ends a run: as the protocol's own error event, so that the fold needs no
 * other channel.
 */
export function runError(code: StageErrorCode, message: string): RunErrorEvent {
  return { type: EventType.RUN_ERROR, message, code };
}

export function isWellFormed(event: unknown): event is AGUIEvent {
  return enforce(event).event !== undefined;
}

/** Runs a stage over a stream that is read to its end, or waits for one. */
export function run<S>(stage: Stage<S>, events: Iterable<AGUIEvent>): Generator<AGUIEvent, void, undefined>;
export function run<S>(stage: Stage<S>, events: AsyncIterable<AGUIEvent>): AsyncGenerator<AGUIEvent, void, undefined>;
export function run<S>(stage: Stage<S>, events: Iterable<AGUIEvent> | AsyncIterable<AGUIEvent>) {
  return Symbol.asyncIterator in events ? runAsync(stage, events) : runSync(stage, events);
}

function* runSync<S>(stage: Stage<S>, events: Iterable<AGUIEvent>): Generator<AGUIEvent, void, undefined> {
  let state = stage.initial();
  for (const event of events) {
    const [next, out] = stage.step(state, event);
    state = next;
    yield* out;
  }
  yield* stage.end(state);
}

async function* runAsync<S>(
  stage: Stage<S>,
  events: AsyncIterable<AGUIEvent>,
): AsyncGenerator<AGUIEvent, void, undefined> {
  let state = stage.initial();
  for await (const event of events) {
    const [next, out] = stage.step(state, event);
    state = next;
    yield* out;
  }
  yield* stage.end(state);
}
