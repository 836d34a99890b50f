// The stage that expands chunks to START, CONTENT and END. It also turns retired THINKING events
// into REASONING events.
//
// Invariants:
// - A lane holds one open chunk stream.
// - Any other event of the lane closes it, except RAW, activities, encrypted values and the start
//   of a subagent.
// - Events about the whole run close all lanes.

import { EventType, type AGUIEvent } from "@ag-ui/core";
import { type RetiredEvent, RETIRED_TYPES } from "../enforce/retired.ts";
import { INITIAL_PROTOCOL_STATE, type ProtocolState } from "../state/protocol-state.ts";
import { ChunkError, endOf, expandChunk } from "./chunk-lanes.ts";
import { isWellFormed, run, runError, type Stage } from "./stage.ts";
import { fromThinking } from "./thinking.ts";

/** What {@link expandChunks} does to a stream, as a pure stage. */
export const chunkStage: Stage<ProtocolState> = {
  initial: () => INITIAL_PROTOCOL_STATE,
  step: (state, event) => (isWellFormed(event) ? expand(state, event) : [state, [event]]),
  end: () => [],
};

/**
 * Expands chunks to the START, CONTENT (or ARGS) and END events that they stand for. Takes an
 * iterable or an async iterable. A chunk that contradicts its stream becomes a RUN_ERROR with code
 * `protocol_violation`.
 *
 * @example
 * ```ts
 * import { expandChunks } from "@opstate/ag-ui";
 * import { EventType } from "@ag-ui/core";
 *
 * const events = expandChunks([
 *   { type: EventType.TEXT_MESSAGE_CHUNK, messageId: "m1", delta: "Hello" },
 *   { type: EventType.RUN_FINISHED, threadId: "t", runId: "r" },
 * ]);
 * const types = [...events].map((event) => event.type);
 * types.slice(0, 2); // ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]
 * types.slice(2); // ["TEXT_MESSAGE_END", "RUN_FINISHED"]
 * ```
 */
export function expandChunks(events: Iterable<AGUIEvent>): Generator<AGUIEvent, void, undefined>;
export function expandChunks(events: AsyncIterable<AGUIEvent>): AsyncGenerator<AGUIEvent, void, undefined>;
export function expandChunks(events: Iterable<AGUIEvent> | AsyncIterable<AGUIEvent>) {
  return Symbol.asyncIterator in events ? run(chunkStage, events) : run(chunkStage, events);
}

/** The step for a well-formed event. */
export function expand(
  state: ProtocolState,
  event: AGUIEvent | RetiredEvent,
): readonly [ProtocolState, readonly AGUIEvent[]] {
  switch (event.type) {
    // The most frequent events are first.
    case EventType.TEXT_MESSAGE_CONTENT:
    case EventType.REASONING_MESSAGE_CONTENT:
    case EventType.TOOL_CALL_ARGS:
      return closeLane(state, event, event.subagentRunId);
    case EventType.TEXT_MESSAGE_CHUNK:
    case EventType.TOOL_CALL_CHUNK:
    case EventType.REASONING_MESSAGE_CHUNK:
      try {
        const [lanes, events] = expandChunk(state.lanes, event);
        return [lanes === state.lanes ? state : { ...state, lanes }, events];
      } catch (error) {
        if (!(error instanceof ChunkError)) throw error;
        return [state, [runError("protocol_violation", error.message)]];
      }
    case EventType.RUN_STARTED: {
      const [closed, events] = closeAll(state, event);
      return [{ ...closed, thinking: { runId: event.runId, count: 0 } }, events];
    }
    case EventType.RUN_FINISHED:
    case EventType.RUN_ERROR:
    case EventType.MESSAGES_SNAPSHOT:
      return closeAll(state, event);
    case EventType.RAW:
    case EventType.ACTIVITY_SNAPSHOT:
    case EventType.ACTIVITY_DELTA:
    case EventType.REASONING_ENCRYPTED_VALUE:
    case EventType.SUBAGENT_STARTED:
      return [state, [event]];
    default:
      return isRetired(event) ? expandRetired(state, event) : closeLane(state, event, event.subagentRunId);
  }
}

function expandRetired(state: ProtocolState, event: RetiredEvent): readonly [ProtocolState, readonly AGUIEvent[]] {
  const [thinking, modern] = fromThinking(state.thinking, event);
  return expand(thinking === state.thinking ? state : { ...state, thinking }, modern);
}

function closeAll(state: ProtocolState, event: AGUIEvent): readonly [ProtocolState, readonly AGUIEvent[]] {
  if (state.lanes.length === 0) return [state, [event]];
  return [{ ...state, lanes: [] }, [...state.lanes.map(endOf), event]];
}

function closeLane(
  state: ProtocolState,
  event: AGUIEvent,
  owner: string | undefined,
): readonly [ProtocolState, readonly AGUIEvent[]] {
  const open = state.lanes.length === 0 ? undefined : state.lanes.find((lane) => lane.subagentRunId === owner);
  if (open === undefined) return [state, [event]];
  return [{ ...state, lanes: state.lanes.filter((lane) => lane !== open) }, [endOf(open), event]];
}

function isRetired(event: AGUIEvent | RetiredEvent): event is RetiredEvent {
  return RETIRED_TYPES.has(event.type);
}
