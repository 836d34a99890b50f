// What stands between an agent's stream and the fold: chunks become whole messages, and what the
// protocol's order forbids becomes an error.

import type { AGUIEvent } from "@ag-ui/core";
import { chunkStage } from "../stages/expand-chunks.ts";
import { verifyStage } from "../stages/verify-events.ts";

/** One for each stream. */
export interface EventGate {
  /** What the fold is to take for one thing that came. */
  pass(event: unknown): readonly unknown[];
}

export function createEventGate(): EventGate {
  let chunks = chunkStage.initial();
  let order = verifyStage.initial();

  function verified(event: AGUIEvent): readonly AGUIEvent[] {
    const [next, events] = verifyStage.step(order, event);
    order = next;
    return events;
  }

  return {
    pass(event) {
      // The fold has words for what is no event at all.
      if (!isEvent(event)) return [event];
      const [next, events] = chunkStage.step(chunks, event);
      chunks = next;
      return events.flatMap(verified);
    },
  };
}

function isEvent(value: unknown): value is AGUIEvent {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
