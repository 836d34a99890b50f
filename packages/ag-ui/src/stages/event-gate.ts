// What stands between an agent's stream and the fold: chunks become whole messages, and what the
// protocol's order forbids becomes an error.
//
// Invariant: an event is judged once. Both stages and the fold go by one judgement.

import type { AGUIEvent } from "@ag-ui/core";
import { enforceAtGate } from "../enforce/enforce-once.ts";
import { chunkStage, expand } from "./expand-chunks.ts";
import { verify, verifyStage } from "./verify-events.ts";

/** One for each stream. */
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
      // The fold has words for a value that is not an event at all.
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
