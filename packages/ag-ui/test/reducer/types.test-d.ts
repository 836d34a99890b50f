// The types that an application meets: the state of a definition, the value of a handler, a state
// with fields of its own.

import type { Message } from "@ag-ui/core";
import { defineState } from "@opstate/core";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  chatReducer,
  type ChatState,
  composeReducers,
  createChatReducer,
  customHandler,
  initialChatState,
  toAgUiMessages,
} from "@opstate/ag-ui";

const board = defineState({
  name: "board",
  schema: z.object({ cards: z.array(z.string()) }),
  initial: null,
  operations: {},
});

test("a definition types the state", () => {
  const reducer = createChatReducer({ definition: board });
  const chat = reducer(initialChatState({ state: board.initial }), {});
  expectTypeOf(chat.state).toEqualTypeOf<{ readonly cards: readonly string[] } | null>();
  // @ts-expect-error a state of another shape is not this reducer's
  reducer(initialChatState({ state: { lists: [] } }), {});
});

test("without one it is unknown", () => {
  expectTypeOf([{}].reduce(chatReducer, initialChatState())).toEqualTypeOf<ChatState>();
  expectTypeOf(initialChatState().state).toBeUnknown();
  expectTypeOf(toAgUiMessages(initialChatState())).toEqualTypeOf<Message[]>();
});

test("a state's own fields come through", () => {
  const reducer = composeReducers<ChatState & { seen: number }>(chatReducer, (state) => ({
    ...state,
    seen: state.seen + 1,
  }));
  expectTypeOf(reducer({ ...initialChatState(), seen: 0 }, {}).seen).toBeNumber();
});

test("a schema types a handler's value", () => {
  customHandler(z.object({ percent: z.number() }), (state, value) => {
    expectTypeOf(value).toEqualTypeOf<{ percent: number }>();
    return state;
  });
});

test("a message is discriminated by its role", () => {
  const message = initialChatState().messages[0]!;
  if (message.role === "assistant") expectTypeOf(message.toolCalls?.[0]?.parsedArguments).toBeUnknown();
  if (message.role === "activity") expectTypeOf(message.content).toEqualTypeOf<Readonly<Record<string, unknown>>>();
  expectTypeOf(message.status).toEqualTypeOf<"streaming" | "complete" | "incomplete">();
});
