// A model that repeats a refused call and never listens: its run ends with words.

import { MemorySaver, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { operation, operationTools, opstateMiddleware, snapshotField } from "@opstate/langgraph";
import { createAgent, fakeModel, tool, type AIMessage } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, openSample, sample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { shownBoard } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const impossible = (): AIMessage => call(["move", { cardId: "T-9", to: "done" }]);

/** Calls the same thing again until the end of time. */
function stubborn(turns = 40, turn: () => AIMessage = impossible) {
  const model = fakeModel();
  for (let i = 0; i < turns; i++) model.respond(turn);
  return model;
}

const STOPPED = 'I stopped: "move" was refused 3 times for the same reason (card_not_found). No card "T-9"';
const config = { configurable: { thread_id: "t" } };

describe("a stubborn model", () => {
  it("is stopped after three equal refusals on a thread, and can go on with the next request", async () => {
    const thread = await openSample();
    const model = stubborn(3).respond(say("Which card?"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread, field: "board" })],
      checkpointer: new MemorySaver(),
    });
    const { messages, board: field } = await agent.invoke({ messages: "go" }, config);
    expect(model.calls).toHaveLength(3);
    expect(messages.at(-1)).toMatchObject({ type: "ai", content: STOPPED });
    expect(results(messages)).toHaveLength(3);
    expect(field.version).toBe(1);

    await thread.dispatch(board.op.rename({ cardId: "T-2", title: "by Ada" }), { actor: ada });
    const next = await agent.invoke({ messages: "and now?" }, config);
    expect(next.messages.at(-1)?.text).toBe("Which card?");
    expect(shownBoard(model.calls.at(-1)?.messages).changes).toContain("by Ada");
  });

  it("reads what others did before it was stopped, with the next request", async () => {
    const thread = await openSample();
    let turns = 0;
    const model = stubborn(3, () => {
      turns += 1;
      // After what the model was shown with its last call.
      if (turns === 3) void thread.dispatch(board.op.rename({ cardId: "T-2", title: "by Ada" }), { actor: ada });
      return impossible();
    }).respond(say("I see"));
    const agent = createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread, field: "board" })],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke({ messages: "go" }, config);
    await agent.invoke({ messages: "and now?" }, config);
    expect(shownBoard(model.calls.at(-1)?.messages).changes).toContain("by Ada");
  });

  it("is stopped on a field that decides", async () => {
    const model = stubborn();
    const agent = createAgent({
      model,
      tools: operationTools(board, { field: "board" }),
      middleware: [opstateMiddleware(board, { field: "board" })],
    });
    const { messages, board: field } = await agent.invoke({ messages: "go", board: sample });
    expect(model.calls).toHaveLength(3);
    expect(messages.at(-1)?.text).toBe(STOPPED);
    expect(results(messages).map(({ text }) => text.split(":")[0])).toEqual(
      Array.from({ length: 3 }, () => "Refused (card_not_found)"),
    );
    expect(field.version).toBe(1);
  });

  it("is stopped though it does other things in between, and makes the call with other keys first", async () => {
    const thread = await openSample();
    let turns = 0;
    const model = stubborn(40, () => {
      turns += 1;
      const args = turns % 2 === 0 ? { to: "done", cardId: "T-9" } : { cardId: "T-9", to: "done" };
      return turns % 3 === 0
        ? call(["rename", { cardId: "T-1", title: `turn ${turns}` }])
        : call(["move", args], ["remove", { cardId: `T-${100 + turns}` }]);
    });
    const { messages } = await createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread })],
    }).invoke({ messages: "go" });
    expect([model.calls.length, messages.at(-1)?.text]).toEqual([4, STOPPED]);
  });

  it("is stopped in a tool of one's own that answers with the text of the verdict", async () => {
    const thread = await openSample();
    const own = tool(
      async ({ card }, runtime) =>
        (await operation(runtime, board.op.move({ cardId: card, to: "done" }), { thread })).text,
      { name: "finish", description: "Finish a card", schema: z.object({ card: z.string() }) },
    );
    const model = stubborn(40, () => call(["finish", { card: "T-9" }]));
    const { messages } = await createAgent({
      model,
      tools: [own],
      middleware: [opstateMiddleware(board, { thread })],
    }).invoke({ messages: "go" });
    expect([model.calls.length, messages.at(-1)?.text]).toEqual([3, STOPPED.replace("move", "finish")]);
  });

  it.each([1, 5])("is stopped after %d where `maxRefusals` says so", async (maxRefusals) => {
    const thread = await openSample();
    const model = stubborn();
    await createAgent({
      model,
      tools: operationTools(board, { thread }),
      middleware: [opstateMiddleware(board, { thread, maxRefusals })],
    }).invoke({ messages: "go" });
    expect(model.calls).toHaveLength(maxRefusals);
  });

  it.each([{ thread: true }, { thread: false }])(
    "runs to the recursion limit with `maxRefusals: false`: %j",
    async ({ thread: has }) => {
      const thread = await openSample();
      const model = stubborn();
      const agent = has
        ? createAgent({
            model,
            tools: operationTools(board, { thread }),
            middleware: [opstateMiddleware(board, { thread, maxRefusals: false })],
          })
        : createAgent({
            model,
            tools: operationTools(board, { field: "board" }),
            middleware: [opstateMiddleware(board, { field: "board", maxRefusals: false })],
          });
      await expect(agent.invoke({ messages: "go", board: sample } as never, { recursionLimit: 25 })).rejects.toThrow(
        "ecursion",
      );
      expect(model.calls.length).toBeGreaterThan(3);
    },
  );
});

it.each(["thread", "field"])(
  "counts what this agent was refused, not another one before it in the conversation: %s",
  async (how) => {
    const thread = await openSample();
    const make = (model: ReturnType<typeof fakeModel>) =>
      how === "thread"
        ? createAgent({
            model,
            tools: operationTools(board, { thread }),
            middleware: [opstateMiddleware(board, { thread })],
          }).graph
        : createAgent({
            model,
            tools: operationTools(board, { field: "board" }),
            middleware: [opstateMiddleware(board, { field: "board" })],
          }).graph;
    const team = new StateGraph(new StateSchema({ messages: MessagesValue, board: snapshotField(board) }))
      .addNode("first", make(stubborn(2).respond(say("I gave up"))) as never)
      .addNode("second", make(stubborn(2).respond(say("So did I"))) as never)
      .addNode("third", make(stubborn()) as never)
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", "third")
      .compile();
    const { messages } = await team.invoke({ messages: "go", board: sample });
    expect(messages.filter(({ type, text }) => type === "ai" && text !== "").map(({ text }) => text)).toEqual([
      "I gave up",
      "So did I",
      STOPPED,
    ]);
  },
);

it("counts equal calls of one message once: the model had read no refusal", async () => {
  const thread = await openSample();
  const twice = (): AIMessage => call(["move", { cardId: "T-9", to: "done" }], ["move", { cardId: "T-9", to: "done" }]);
  const model = stubborn(40, twice);
  await createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread })],
  }).invoke({ messages: "go" });
  expect(model.calls).toHaveLength(3);
});

it("does not stop calls that differ, or that are refused for other reasons", async () => {
  const thread = await openSample();
  const model = fakeModel();
  for (let i = 0; i < 4; i++) model.respond(call(["move", { cardId: `T-${10 + i}`, to: "done" }]));
  model.respond(call(["move", { cardId: "T-1", to: "x" }])).respond(say("done"));
  const { messages } = await createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread })],
  }).invoke({ messages: "go" });
  expect(messages.at(-1)?.text).toBe("done");
});

it.each([0, 2.5, Number.NaN, true])("says of `maxRefusals: %s` what is right", async (maxRefusals) => {
  const thread = await openSample();
  const options = { maxRefusals: maxRefusals as number };
  for (const make of [
    () => opstateMiddleware(board, { thread, ...options }),
    () => opstateMiddleware(board, { field: "board", ...options }),
  ])
    expect(make).toThrow(`\`maxRefusals\` must be a whole number of at least 1, or false; it is ${maxRefusals}.`);
});
