// A stage between a stream and the fold: a pure step from state and event to state and events,
// which runs lazily over a stream.
//
// Invariant: malformed events pass every stage unchanged, so that the fold records what is wrong.

import { EventType, type AGUIEvent, type RunErrorEvent } from "@ag-ui/core";
import { enforce } from "../enforce/enforce.ts";

/** A step between a stream of events and the fold. All three functions are pure. */
export interface Stage<S> {
  /** The stage's state before the first event of a stream. */
  initial(): S;
  /** The next state, and the events that replace the given one. */
  step(state: S, event: AGUIEvent): readonly [S, readonly AGUIEvent[]];
  /** The events that the end of the stream adds. */
  end(state: S): readonly AGUIEvent[];
}

export type StageErrorCode = "protocol_violation" | "truncated_stream";

/**
 * The protocol's error event, by which a stage ends a run: the fold reads it like an agent's own.
 */
export function runError(code: StageErrorCode, message: string): RunErrorEvent {
  return { type: EventType.RUN_ERROR, message, code };
}

export function isWellFormed(event: unknown): event is AGUIEvent {
  return enforce(event).event !== undefined;
}

/** Runs a stage over an iterable or an async iterable. */
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
