// What a model reads about its calls is true, whatever decides: one suite for every form.

import { MemorySaver } from "@langchain/langgraph";
import { fakeModel, ToolMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { layout } from "../support/board.ts";
import { forms, results } from "../support/forms.ts";
import { call, say } from "../support/talk.ts";

describe.each(forms)("with %s", (_name, form) => {
  describe("four conflicting parallel calls", () => {
    async function conflictingCalls() {
      const model = fakeModel()
        .respond(
          call(
            ["remove", { cardId: "T-1" }, "a"],
            ["move", { cardId: "T-1", to: "done" }, "b"],
            ["move", { cardId: "T-2", to: "done" }, "c"],
            ["remove", { cardId: "T-1" }, "d"],
          ),
        )
        .respond(say("done"));
      const { messages, state } = await (await form(model)).say("go");
      return { messages, state, readers: [results(messages), results(model.calls[1]?.messages ?? [])] };
    }

    it("are executed in order, and each is answered by one message", async () => {
      const { messages, state } = await conflictingCalls();
      expect(layout(state)).toEqual({ todo: ["T-3"], done: ["T-2"] });
      expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "tool", "tool", "tool", "ai"]);
      expect(new Set(messages.map(({ id }) => id)).size).toBe(7);
    });

    it("get four true verdicts, the same for the model and in the history", async () => {
      for (const answers of (await conflictingCalls()).readers) {
        expect(answers.map((message) => [message.tool_call_id, message.name, message.status ?? "success"])).toEqual([
          ["a", "remove", "success"],
          ["b", "move", "success"],
          ["c", "move", "success"],
          ["d", "remove", "success"],
        ]);
        const words = answers.map(({ text }) => text.split(/[ :]/)[0]);
        expect(words).toEqual(["Accepted", "Refused", "Accepted", "Refused"]);
        const verdicts = answers.map(({ artifact }) => (artifact as { accepted: boolean }).accepted);
        expect(verdicts).toEqual([true, false, true, false]);
      }
    });

    it("read what changed, or what was wrong and what would be right", async () => {
      for (const [a, b] of (await conflictingCalls()).readers) {
        expect(a?.text).toContain("removed /columns/0/cards/0");
        expect(a?.text).toContain("set /columns/0/cardCount = 2");
        expect(b?.text).toContain('Refused (card_not_found): No card "T-1"\nDetails: {"available":["T-2","T-3"]}');
      }
    });
  });

  it("says that the model must stop at a second equal refusal, and may try again on the next request", async () => {
    const impossible = () => call(["move", { cardId: "T-9", to: "done" }]);
    const model = fakeModel();
    for (let run = 0; run < 2; run++)
      model
        .respond(impossible())
        .respond(call(["remove", { cardId: "T-9" }]))
        .respond(impossible())
        .respond(say("no"));
    const conversation = await form(model);
    await conversation.say("go");
    const { messages } = await conversation.say("again");
    const stop = "This was refused 2 times: do not try it again; tell the user why it cannot be done.";
    expect(results(messages).map(({ text }) => text.includes(stop))).toEqual([false, false, true, false, false, true]);
    expect(results(messages).every(({ text }) => text.startsWith("Refused (card_not_found)"))).toBe(true);
  });

  it("refuses forbidden calls, invalid arguments and failures of a reducer, and the run goes on", async () => {
    const model = fakeModel()
      .respond(
        call(
          ["archive", {}],
          ["move", { cardId: 7 }],
          ["explode", {}],
          ["rename", { cardId: "T-1", title: "Task T-1" }],
        ),
      )
      .respond(call(["remove", { cardId: "T-1" }]))
      .respond(say("done"));
    const conversation = await form(model);
    const { messages, state } = await conversation.say("go");
    const [archive, move, explode, rename, remove] = results(messages).map(({ text }) => text);
    // An agent's tools leave out what it may not use, and LangChain answers a call of no tool by
    // itself.
    expect(archive).toMatch(/^Refused \(forbidden\)|not found|not a valid tool/);
    expect(move).toMatch(/^Refused \(invalid_operation\): .*cardId/);
    // In development with the error's message.
    expect(explode).toMatch(/^Refused \(failed\): .* threw an error: boom/);
    expect(rename).toMatch(/^Accepted: board needed no change/);
    expect(remove).toMatch(/^Accepted/);
    expect(layout(state)).toEqual({ todo: ["T-2", "T-3"], done: [] });
  });

  it("offers the tools that the actor may use at that step", async () => {
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }]))
      .respond(say("done"));
    const conversation = await form(model);
    await conversation.say("go");
    expect(conversation.offered).toEqual([
      ["move", "remove", "rename", "explode"],
      ["move", "remove", "rename", "explode"],
    ]);
  });

  it("distinguishes calls that a provider numbers from call_0 in each message", async () => {
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }, "call_0"], ["remove", { cardId: "T-1" }, "call_1"]))
      .respond(call(["remove", { cardId: "T-2" }, "call_0"]))
      .respond(say("1"))
      .respond(call(["remove", { cardId: "T-3" }, "call_0"]))
      .respond(say("2"));
    const conversation = await form(model);
    await conversation.say("go");
    const { messages, state } = await conversation.say("go on");
    expect(layout(state)).toEqual({ todo: [], done: [] });
    expect(results(messages).map(({ text }) => text.split(/[ :]/)[0])).toEqual([
      "Accepted",
      "Refused",
      "Accepted",
      "Accepted",
    ]);
  });

  it("survives a model that fails between the calls and their verdicts", async () => {
    const checkpointer = new MemorySaver();
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }]))
      .respond(new Error("overloaded"))
      .respond(say("done"));
    const conversation = await form(model, { checkpointer });
    await expect(conversation.say("go")).rejects.toThrow("overloaded");
    const { messages, state } = await conversation.say("go on");
    expect(layout(state)).toEqual({ todo: ["T-2", "T-3"], done: [] });
    expect(messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Accepted/),
    ]);
  });
});
