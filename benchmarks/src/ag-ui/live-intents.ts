// What a token of a tool call's arguments costs a page that shows what the call is about to do, on
// a board of 10,000 cards, beside the fold of the same event. Tokens come as fast as they are read;
// of each title the operation is run twice, whole schema included, and then put where it went.

import { chatReducer, initialChatState } from "@opstate/ag-ui";
import { createLocal } from "@opstate/client";
import { intentsOf } from "@opstate/client/intents";
import { defineState } from "@opstate/core";
import { z } from "zod";
import { BoardSchema, makeBoard } from "../boards/boards.ts";
import type { Run } from "../harness/measure.ts";
import type { StreamEvent } from "./chats.ts";

export const INTENT = {
  fold: "**opstate** `chatReducer`, the event alone",
  frame: "an intent, its view read once in 16 ms",
  token: "an intent, its view read at each token",
} as const;

export const CARDS = 10_000;

/** Tokens of one title. */
const TOKENS = 100;
const FRAME_MS = 16;

export const candidates = {
  [INTENT.fold]: fold,
  [INTENT.frame]: (cards: number) => intent(cards, FRAME_MS),
  [INTENT.token]: (cards: number) => intent(cards, 0),
};

const boardOf = (cards: number) =>
  defineState({
    name: "board",
    schema: BoardSchema.superRefine(({ columns }, context) => {
      const ids = new Set<string>();
      for (const { cards } of columns)
        for (const { cardId } of cards) {
          if (ids.has(cardId)) context.addIssue({ code: "custom", message: `Two cards have the id "${cardId}"` });
          ids.add(cardId);
        }
    }),
    initial: makeBoard(cards),
    derive: { "/columns/*/cardCount": (column) => column.cards.length },
    operations: {
      add: {
        input: z.object({ columnId: z.string(), title: z.string().meta({ freeText: true }) }),
        apply(draft, { columnId, title }, { reject, id }) {
          const column = draft.columns.find((each) => each.columnId === columnId);
          if (column === undefined) return reject("column_not_found");
          column.cards.push({ cardId: id("T-"), title, priority: 3 });
        },
      },
    },
  });

const OPENING = '{"columnId":"column-3","title":"Write';
const token = (n: number) => ` token${n}`;

function fold(): Run {
  const opening: readonly StreamEvent[] = [
    { type: "RUN_STARTED", threadId: "thread", runId: "run" },
    { type: "TOOL_CALL_START", toolCallId: "call", toolCallName: "add" },
    { type: "TOOL_CALL_ARGS", toolCallId: "call", delta: OPENING },
  ];
  const start = opening.reduce(chatReducer, initialChatState());
  let chat = start;
  let next = 0;
  return (count) => {
    for (let i = 0; i < count; i++) {
      if (next === TOKENS) [chat, next] = [start, 0];
      chat = chatReducer(chat, { type: "TOOL_CALL_ARGS", toolCallId: "call", delta: token(next) });
      next += 1;
    }
  };
}

function intent(cards: number, frameMs: number): Run {
  const intents = intentsOf(createLocal(boardOf(cards), { actor: { kind: "user", id: "ada" } }));
  let call = intents.open({ id: "call", type: "add" });
  let next = TOKENS;
  let readAt = 0;
  return (count) => {
    for (let i = 0; i < count; i++) {
      if (next === TOKENS) {
        call.end();
        call = intents.open({ id: "call", type: "add" });
        call.write(OPENING);
        next = 0;
      }
      call.write(token(next));
      next += 1;
      if (frameMs > 0 && performance.now() - readAt < frameMs) continue;
      readAt = performance.now();
      if (intents.getState().intents[0]?.changes.length === 0) throw new Error("nothing is shown");
    }
  };
}
