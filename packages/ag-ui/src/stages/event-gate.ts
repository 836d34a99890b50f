// Both stages in one, between an agent's stream and the fold of a session: chunks are expanded, and
// the order of events is verified.
//
// Invariant: an event is checked once. Both stages and the fold use one result.

import type { AGUIEvent } from "@ag-ui/core";
import { enforceAtGate } from "../enforce/enforce-once.ts";
import { chunkStage, expand } from "./expand-chunks.ts";
import { verify, verifyStage } from "./verify-events.ts";

/** Has the state of one stream. */
export interface EventGate {
  /** The events that the fold takes for one value of the stream. Fold them before the next call. */
  pass(event: unknown): readonly unknown[];
}

export function createEventGate(): EventGate {
  let chunks = chunkStage.initial();
  let order = verifyStage.initial();

  function verified(event: AGUIEvent, isWellFormed: boolean): readonly AGUIEvent[] {
    const [next, events] = verify(order, event, isWellFormed);
    order = next;
    return events;
  }

  return {
    pass(event) {
      // The fold reports a value that is not an event.
      if (!isEvent(event)) return [event];
      if (!isWellFormed(event)) return verified(event, false);
      const [next, events] = expand(chunks, event);
      chunks = next;
      return events.flatMap((each) => verified(each, each === event || isWellFormed(each)));
    },
  };
}

function isWellFormed(event: AGUIEvent): boolean {
  return enforceAtGate(event).event !== undefined;
}

function isEvent(value: unknown): value is AGUIEvent {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
