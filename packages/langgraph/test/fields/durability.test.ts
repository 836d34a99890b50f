// When checkpoints are written: at each step, beside the next one, or when the run ends. Whichever
// it is, a run that fails and goes on has done each call once, and reports its verdict.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, START, StateGraph } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { operationTools, opstateMiddleware } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { afterAll, describe, expect, it } from "vitest";
import { ada, board, layout, openSample, sample } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { list, openList } from "../support/guarded.ts";
import { call, say } from "../support/talk.ts";
import { firstWords, Team } from "../support/teams.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-durability-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

describe.each(["sync", "async", "exit"] as const)("with the durability %s", (durability) => {
  const config = { durability, configurable: { thread_id: "t" } };

  it.each(["a thread", "a field"])("an agent whose model fails goes on, on %s", async (kind) => {
    const thread = await openSample();
    const path = join(folder, `${++files}.db`);
    const refused: unknown[] = [];
    const onReject = (rejection: unknown) => void refused.push(rejection);
    const target = (kind === "a thread" ? { thread, onReject } : { field: "board" }) as { readonly field: string };
    const calls = call(["move", { cardId: "T-1", to: "done" }], ["move", { cardId: "T-9", to: "done" }]);
    const agentWith = (model: ReturnType<typeof fakeModel>) =>
      createAgent({
        model,
        tools: operationTools(board, target),
        middleware: [opstateMiddleware(board, { ...target, field: "board" })],
        checkpointer: SqliteSaver.fromConnString(path),
      });
    const failing = fakeModel().respond(calls).respond(new Error("overloaded"));
    const input = { messages: "go", ...(kind === "a field" && { board: sample }) };
    await expect(agentWith(failing).invoke(input, config)).rejects.toThrow("overloaded");
    const model = fakeModel().respond(say("done"));
    const { messages, board: field } = await agentWith(model).invoke(null as never, config);
    expect(results(messages).map(firstWords)).toEqual(["Accepted", "Refused (card_not_found)"]);
    expect(results(model.calls[0]!.messages).map(firstWords)).toEqual(["Accepted", "Refused (card_not_found)"]);
    expect([field.version, layout(field.state)["done"]]).toEqual([2, ["T-1"]]);
    if (kind === "a thread") expect(thread.version).toBe(2);
    // No one edited the field.
    expect(refused).toEqual([]);
  });

  it.each(["a thread", "a field"])("an agent beside a node that fails is folded once, on %s", async (kind) => {
    const thread = await openSample();
    const path = join(folder, `${++files}.db`);
    const refused: unknown[] = [];
    const onReject = (rejection: unknown) => void refused.push(rejection);
    const target = (kind === "a thread" ? { thread, onReject } : { field: "board" }) as { readonly field: string };
    let attempts = 0;
    const graph = () =>
      new StateGraph(Team)
        .addNode(
          "agent",
          createAgent({
            model: fakeModel()
              .respond(call(["move", { cardId: "T-1", to: "done" }, "c1"]))
              .respond(say("done")),
            tools: operationTools(board, target),
            middleware: [opstateMiddleware(board, { ...target, field: "board" })],
          }).graph as never,
        )
        .addNode("other", () => {
          if (++attempts === 1) throw new Error("down");
          return { messages: [say("other")] };
        })
        .addEdge(START, "agent")
        .addEdge(START, "other")
        .compile({ checkpointer: SqliteSaver.fromConnString(path) });
    const input = { messages: "go", ...(kind === "a field" && { board: sample }) };
    await expect(graph().invoke(input, config)).rejects.toThrow("down");
    const { messages, board: field } = await graph().invoke(null, config);
    const told = results(messages).map(firstWords);
    expect([field.version, layout(field.state)["done"]]).toEqual([2, ["T-1"]]);
    expect(new Set(told)).toEqual(new Set(["Accepted"]));
    expect(refused).toEqual([]);
  });

  it("an approval is answered by another instance, once", async () => {
    const thread = await openList();
    const path = join(folder, `${++files}.db`);
    const agentWith = (model: ReturnType<typeof fakeModel>) =>
      createAgent({
        model,
        tools: operationTools(list, { thread, approver: ada }),
        middleware: [opstateMiddleware(list, { thread })],
        checkpointer: SqliteSaver.fromConnString(path),
      });
    const calls = call(["remove", { id: "A" }], ["rename", { id: "B", title: "b" }]);
    const asked = await agentWith(fakeModel().respond(calls)).invoke({ messages: "go" }, config);
    expect(asked.__interrupt__).toHaveLength(1);
    const model = fakeModel().respond(say("done"));
    const { messages } = await agentWith(model).invoke(new Command({ resume: { type: "accept" } }), config);
    expect(results(messages).map(firstWords)).toEqual(["Accepted", "Accepted"]);
    expect(thread.getState().items.map(({ id, title }) => `${id} ${title}`)).toEqual(["B b", "C Item C", "D Item D"]);
    const operations = (await thread.history()).flatMap((entry) =>
      entry.kind === "commit" ? [entry.commit.operation.type] : [],
    );
    expect(operations.toSorted()).toEqual(["$approve", "$propose", "rename"]);
  });
});
