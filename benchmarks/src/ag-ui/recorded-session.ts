// A session folded from its first event to its last, as by a page that stays open. The last state
// is kept, so that its memory can be measured.

import { chatReducer, initialChatState } from "@opstate/ag-ui";
import { FOLD } from "./chat-folds.ts";
import { makeSession, type StreamEvent } from "./chats.ts";
import type { Keep } from "../harness/memory.ts";
import { officialFold } from "./official-client.ts";

export const SESSION_EVENTS = 100_000;

export const STEP = { events: "the events", folded: "folded" } as const;

export const keep: Keep = async (mark, [fold = ""]) => {
  const events = makeSession(SESSION_EVENTS);
  await mark(STEP.events);
  const folded = fold === FOLD.opstate ? foldHere(events) : await foldThere(events);
  await mark(STEP.folded);
  return [events, folded];
};

function foldHere(events: readonly StreamEvent[]): unknown {
  const chat = events.reduce(chatReducer, initialChatState());
  if (chat.phase !== "idle" || chat.conflicts.length > 0 || chat.warnings.length > 0)
    throw new Error("the session was not folded");
  return chat;
}

async function foldThere(events: readonly StreamEvent[]): Promise<unknown> {
  return officialFold({ messages: [], state: {} }, "fold").end(events);
}
