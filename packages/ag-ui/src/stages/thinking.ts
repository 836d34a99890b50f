// Retired THINKING events as the REASONING events that replaced them.
//
// Invariant: the same stream always gives the same ids. THINKING events carry none, so the id of a
// START is made of its run and its number in it.

import { EventType, type AGUIEvent } from "@ag-ui/core";
import type { RetiredEvent } from "../enforce/retired.ts";
import type { Thinking } from "../state/protocol-state.ts";

export function fromThinking(thinking: Thinking, event: RetiredEvent): readonly [Thinking, AGUIEvent] {
  const { type, title: _title, messageId: _standIn, ...rest } = event;
  const opened = `${thinking.runId}:thinking:${thinking.count + 1}`;
  const counted = { ...thinking, count: thinking.count + 1 };
  // A continuation without a START gets the id of the next START, which does not exist yet: the
  // fold warns about it.
  const span = thinking.span ?? opened;
  const message = thinking.message ?? opened;
  switch (type) {
    case "THINKING_START":
      return [
        { ...counted, span: opened },
        { ...rest, type: EventType.REASONING_START, messageId: opened },
      ];
    case "THINKING_TEXT_MESSAGE_START":
      return [
        { ...counted, message: opened },
        { ...rest, type: EventType.REASONING_MESSAGE_START, messageId: opened, role: "reasoning" },
      ];
    case "THINKING_TEXT_MESSAGE_CONTENT": {
      const delta = typeof rest["delta"] === "string" ? rest["delta"] : "";
      return [thinking, { ...rest, type: EventType.REASONING_MESSAGE_CONTENT, messageId: message, delta }];
    }
    case "THINKING_TEXT_MESSAGE_END": {
      const { message: _closed, ...open } = thinking;
      return [open, { ...rest, type: EventType.REASONING_MESSAGE_END, messageId: message }];
    }
    case "THINKING_END": {
      const { span: _closed, ...open } = thinking;
      return [open, { ...rest, type: EventType.REASONING_END, messageId: span }];
    }
  }
}
