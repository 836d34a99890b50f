// A tool call changes what the model chose in the state that it was shown, or it is refused.

import { MemorySaver } from "@langchain/langgraph";
import { defineState, memoryLog, openThread } from "@opstate/core";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { expect, it } from "vitest";
import * as z from "zod";
import { ada } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { type Call, call, say } from "../support/talk.ts";

const list = defineState({
  name: "list",
  schema: z.object({ items: z.array(z.object({ title: z.string() })) }),
  initial: { items: [{ title: "A" }, { title: "B" }, { title: "C" }] },
  operations: {
    insert: {
      input: z.object({ title: z.string() }),
      apply: (draft, { title }) => void draft.items.unshift({ title }),
    },
    removeAt: {
      input: z.object({ index: z.int() }),
      apply: (draft, { index }) => void draft.items.splice(index, 1),
    },
    renameAt: {
      input: z.object({ index: z.int(), title: z.string() }),
      apply(draft, { index, title }) {
        const item = draft.items[index];
        if (item) item.title = title;
      },
    },
  },
});

async function runWith(edit: "insert" | "none", ...calls: readonly Call[]) {
  const thread = await openThread({ definition: list, log: memoryLog(), threadId: "t" });
  const model = fakeModel()
    .respond(() => {
      // While the model answers.
      if (edit === "insert") void thread.dispatch(list.op.insert({ title: "new" }), { actor: ada });
      return call(...calls);
    })
    .respond(say("done"));
  const agent = createAgent({
    model,
    tools: operationTools(list, { thread }),
    middleware: [opstateMiddleware(list, { thread, field: "list" })],
    checkpointer: new MemorySaver(),
  });
  const { messages } = await agent.invoke({ messages: "go" }, { configurable: { thread_id: "t" } });
  return { results: results(messages), titles: thread.getState().items.map(({ title }) => title) };
}

it("is refused when a person's edit put another thing in the place that it names", async () => {
  const { results, titles } = await runWith("insert", ["removeAt", { index: 0 }]);
  expect(results[0]?.text).toMatch(/^Refused \(other_thing\)/);
  expect(results[0]?.text).toContain("/items/0");
  expect(titles).toEqual(["new", "A", "B", "C"]);
});

it("is refused when another call of the same answer did", async () => {
  const { results, titles } = await runWith("none", ["removeAt", { index: 0 }], ["renameAt", { index: 0, title: "a" }]);
  expect(results.map(({ text }) => text.slice(0, 8))).toEqual([expect.stringMatching("Accepted"), "Refused "]);
  expect(titles).toEqual(["B", "C"]);
});

it("is carried out when it changes the same thing", async () => {
  const { titles } = await runWith("none", ["renameAt", { index: 0, title: "a" }], ["removeAt", { index: 2 }]);
  expect(titles).toEqual(["a", "B"]);
});
