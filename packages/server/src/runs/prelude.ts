// What a reader gets that begins a stream in the middle of a run, and whose conversation has
// what came before: the run that it is in, and what is open in it.
//
//   1 RUN_STARTED  2 START m1  3 CONTENT m1 │ 4 CONTENT m1  5 END m1
//   └────────── prelude: RUN_STARTED, START m1 ┘
//
// Invariants:
// - The prelude and the events after it are in an order that the protocol allows.
// - It has no text, arguments or state, so a conversation that has them does not get them twice.
// - Steps and subagents of the run are sent anew with their ends, since a run begins without any.

import { type AGUIEvent, EventType } from "@ag-ui/core";

/** `events`: from the first of the run up to where the reader is. Chunks are expanded. */
export function preludeOf(events: readonly AGUIEvent[]): readonly AGUIEvent[] {
  // In the order of the events.
  const kept = new Set<AGUIEvent>();
  const open = new Map<string, AGUIEvent>();
  /** By call: those without a result are the run's own to answer. */
  const calls = new Map<string, AGUIEvent[]>();
  const openCalls = new Set<string>();

  function begin(key: string, event: AGUIEvent): void {
    open.set(key, event);
    kept.add(event);
  }
  function end(key: string): void {
    const event = open.get(key);
    if (event !== undefined) kept.delete(event);
    open.delete(key);
  }
  function leaveOut(callId: string): void {
    for (const event of calls.get(callId) ?? []) kept.delete(event);
    calls.delete(callId);
  }

  for (const event of events) {
    switch (event.type) {
      case EventType.RUN_STARTED:
      case EventType.STEP_STARTED:
      case EventType.STEP_FINISHED:
      case EventType.SUBAGENT_STARTED:
      case EventType.SUBAGENT_FINISHED:
      case EventType.SUBAGENT_ERROR:
        kept.add(event);
        break;
      case EventType.TEXT_MESSAGE_START:
        begin(`text ${event.messageId}`, event);
        break;
      case EventType.TEXT_MESSAGE_END:
        end(`text ${event.messageId}`);
        break;
      case EventType.REASONING_MESSAGE_START:
        begin(`reasoning ${event.messageId}`, event);
        break;
      case EventType.REASONING_MESSAGE_END:
        end(`reasoning ${event.messageId}`);
        break;
      case EventType.REASONING_START:
        begin(`span ${event.messageId}`, event);
        break;
      case EventType.REASONING_END:
        end(`span ${event.messageId}`);
        break;
      case EventType.TOOL_CALL_START:
        // Opened again: the events before are replaced.
        leaveOut(event.toolCallId);
        calls.set(event.toolCallId, [event]);
        kept.add(event);
        openCalls.add(event.toolCallId);
        break;
      case EventType.TOOL_CALL_END:
        openCalls.delete(event.toolCallId);
        if (calls.get(event.toolCallId)?.some(({ type }) => type === EventType.TOOL_CALL_RESULT)) {
          leaveOut(event.toolCallId);
          break;
        }
        calls.get(event.toolCallId)?.push(event);
        kept.add(event);
        break;
      case EventType.TOOL_CALL_RESULT:
        if (!openCalls.has(event.toolCallId)) {
          leaveOut(event.toolCallId);
          break;
        }
        // Its END is still to come, so it has to be open.
        calls.get(event.toolCallId)?.push(event);
        kept.add(event);
        break;
      default:
    }
  }
  return [...kept];
}
