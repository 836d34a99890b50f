// CUSTOM events: the application's handler applies those whose name it knows. Of the others, the
// last value is kept.

import type { CustomEvent } from "@ag-ui/core";
import type { ChatState } from "../state/chat-state.ts";
import type { CustomHandler } from "../state/custom-handler.ts";
import { shareFromEnds } from "../state/share-from-ends.ts";
import { type Fold, warn } from "./fold.ts";

export function applyCustom(fold: Fold, state: ChatState, event: CustomEvent): ChatState {
  const { name } = event;
  const sent: unknown = event.value;
  const handler = fold.handlers.get(name);
  if (handler !== undefined) return handled(handler, state, event, sent);
  const before = Object.hasOwn(state.custom, name) ? state.custom[name] : undefined;
  const value = shareFromEnds(before, sent);
  return value === before ? state : { ...state, custom: { ...state.custom, [name]: value } };
}

function handled(handler: CustomHandler, state: ChatState, event: CustomEvent, value: unknown): ChatState {
  let problem: string;
  try {
    const result = handler(state, value);
    if ("state" in result) return result.state;
    ({ problem } = result);
  } catch {
    problem = "its handler threw an error";
  }
  const message = `CUSTOM event ${JSON.stringify(event.name.slice(0, 80))} was left out: ${problem}`;
  return warn(state, { code: "invalid_custom", eventType: event.type, message });
}
