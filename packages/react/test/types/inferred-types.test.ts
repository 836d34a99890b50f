// What an application exports without writing its type. Each inferred type must have a name that
// the application's compiler finds from `@opstate/core` alone.

import {
  append,
  counter,
  defined,
  createReplica,
  defineAgentState,
  defineState,
  fieldsFromDeclaration,
  immutable,
  memoryLog,
  messages,
  oneOf,
  openThread,
  replace,
  replay,
  threadTransport,
} from "@opstate/core";
import { expect, it } from "vitest";
import { z } from "zod";

export const shelf = defineState({
  name: "shelf",
  schema: z.object({ books: z.array(z.string()), shut: z.boolean() }),
  initial: { books: [], shut: false },
  operations: {
    add: {
      input: z.object({ title: z.string() }),
      apply: (draft, { title }) => {
        draft.books.push(title);
      },
    },
  },
});
export const { op } = shelf;
export const notes = append(z.string());
export const talk = messages();
export const turn = counter();
export const topic = immutable(z.string());
export const phase = oneOf(["ask", "answer"]);
export const summary = replace(z.string());
export const agent = defineAgentState({ notes, talk, turn, topic, phase, summary });
export const declared = fieldsFromDeclaration([{ name: "notes", type: "list", reducer: "append" }]);
export const log = memoryLog();
export const open = () => openThread({ definition: shelf, log, threadId: "a" });
export const thread = await open();
export const transport = threadTransport(thread, { actor: { kind: "user", id: "ada" } });
export const replica = createReplica({ definition: shelf, transport });
export const { sync, ready } = replica;
export const replayed = replay(shelf, []);
export const kept = defined({ a: 1, b: undefined as string | undefined });
export const reduced = shelf.transition(shelf.initial, { type: "add", title: "a" });

it("names every type of an application from the root alone", () => {
  // `tsc` is the test: it declares the exports above. Here they are only seen to run.
  expect(reduced.state).toEqual({ books: ["a"], shut: false });
});
