// Back to an old checkpoint with a branch of the thread for that run: the field is what it was
// then, and the thread is untouched.

import type { RunnableConfig } from "@langchain/core/runnables";
import { MemorySaver } from "@langchain/langgraph";
import type { Thread } from "@opstate/core";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import { ada, board, layout, openSample } from "../support/board.ts";
import { shown } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const config = { configurable: { thread_id: "t" } };
const remove = (cardId: string) => call(["remove", { cardId }]);

/**
 * An agent on a thread, or on the branch that a run brings. It removed T-1 and T-2, in two runs;
 * gives the checkpoint between them.
 */
async function traveller(checkpoint: "state" | "version") {
  const main = await openSample();
  const model = fakeModel().respond(remove("T-1")).respond(say("1")).respond(remove("T-2")).respond(say("2"));
  const thread = ({ configurable }: RunnableConfig): Thread<typeof board> => configurable?.["branch"] ?? main;
  const agent = createAgent({
    model,
    tools: operationTools(board, { thread }),
    middleware: [opstateMiddleware(board, { thread, field: "board", checkpoint })],
    checkpointer: new MemorySaver(),
  });
  await agent.invoke({ messages: "first" }, config);
  const old = await agent.graph.getState(config);
  await agent.invoke({ messages: "second" }, config);
  expect(layout(main.getState())["todo"]).toEqual(["T-3"]);
  return { main, model, agent, old };
}

describe.each(["state", "version"] as const)("an old checkpoint that stored the %s", (checkpoint) => {
  describe("continues with a branch of its version", () => {
    async function onBranch() {
      const { main, model, agent, old } = await traveller(checkpoint);
      const branch = await main.branch(old.values["board"].version);
      model.respond(call(["move", { cardId: "T-2", to: "done" }], ["remove", { cardId: "T-1" }])).respond(say("other"));
      const before = { version: main.version, state: main.getState() };
      const { board: field, messages } = await agent.invoke(
        { messages: "another way" },
        { configurable: { ...config.configurable, ...old.config.configurable, branch } },
      );
      return { main, model, agent, old, branch, before, field, messages };
    }

    it("the model is shown the state of that version", async () => {
      const { model, old } = await onBranch();
      expect(old.values["board"].version).toBe(2);
      const then = shown(model.calls.at(-2)!.messages);
      expect(then).toContain("T-2");
      expect(then).not.toContain("T-1");
    });

    it("what the run does is on the branch alone", async () => {
      const { main, branch, before, field, messages } = await onBranch();
      expect(layout(field.state)).toEqual({ todo: ["T-3"], done: ["T-2"] });
      expect(field.state).toEqual(branch.getState());
      expect(messages.map(({ text }) => text.split(/[ :]/, 1)[0])).toEqual([
        "first",
        "",
        "Accepted",
        "1",
        "another",
        "",
        "Accepted",
        "Refused",
        "other",
      ]);
      expect({ version: main.version, state: main.getState() }).toEqual(before);
    });

    it("the branch can be merged, and the next run follows the thread", async () => {
      const { main, model, agent, branch } = await onBranch();
      // The thread has no T-2 any more, and the merge says so. What is still valid is merged.
      await branch.dispatch(board.op.rename({ cardId: "T-3", title: "merged" }), { actor: ada });
      const merged = await branch.merge({ actor: ada });
      expect(merged.map(({ verdict }) => (verdict.accepted ? "accepted" : verdict.rejection.reason))).toEqual([
        "card_not_found",
        "accepted",
      ]);
      model.respond(say("merged"));
      const last = await agent.invoke({ messages: "and now?" }, config);
      expect(last.board.state).toEqual(main.getState());
      expect(shown(model.calls.at(-1)!.messages)).toContain("merged");
    });
  });

  it("continues with the newest state of the thread when no branch is given, and does nothing twice", async () => {
    const { main, model, agent } = await traveller(checkpoint);
    const history = [];
    for await (const snapshot of agent.graph.getStateHistory(config)) history.push(snapshot);
    // Before the tools of the second run.
    const pending = history.find(({ next }) => next.includes("tools"))!;
    model.respond(say("again"));
    const { board: field, messages } = await agent.invoke(null as never, pending.config);
    expect(messages.slice(-2).map(({ text }) => text.split(":", 1)[0])).toEqual(["Accepted", "again"]);
    expect(main.version).toBe(3);
    expect(field.state).toEqual(main.getState());
  });

  it("runs tools again on a given branch, where they have their effect", async () => {
    const { main, model, agent } = await traveller(checkpoint);
    const history = [];
    for await (const snapshot of agent.graph.getStateHistory(config)) history.push(snapshot);
    const pending = history.find(({ next }) => next.includes("tools"))!;
    const branch = await main.branch(2);
    model.respond(say("there"));
    await agent.invoke(null as never, { configurable: { ...pending.config.configurable, branch } });
    expect(layout(branch.getState())["todo"]).toEqual(["T-3"]);
    expect(branch.version).toBe(1);
    expect(main.version).toBe(3);
  });
});
