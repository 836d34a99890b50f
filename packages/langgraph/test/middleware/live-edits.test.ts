// People edit while an agent runs: between its steps and during them. Nothing is lost, and the
// agent knows.

import { MemorySaver, StateSchema } from "@langchain/langgraph";
import type { Actor } from "@opstate/core";
import { operationTools, opstateMiddleware, stateField } from "@opstate/langgraph";
import { createAgent, fakeModel, tool } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, layout, openSample, sample, type Board } from "../support/board.ts";
import { results } from "../support/forms.ts";
import { shown, shownBoard as boardIn } from "../support/shown.ts";
import { call, say } from "../support/talk.ts";

const ben: Actor = { kind: "user", id: "ben" };
const config = { configurable: { thread_id: "t" } };
type OpenThread = Awaited<ReturnType<typeof openSample>>;

function titles(state: Board | null): Record<string, string> {
  return Object.fromEntries(
    (state?.columns ?? []).flatMap(({ cards }) => cards.map(({ cardId, title }) => [cardId, title])),
  );
}

/** What a model call was shown: the titles, and the version and the changes by others. */
function shownBoard(messages: Parameters<typeof boardIn>[0]) {
  const { version, state, changes = "" } = boardIn(messages);
  return { version, titles: titles(state), changes };
}

function agentOf(
  thread: OpenThread,
  model: ReturnType<typeof fakeModel>,
  more: readonly ReturnType<typeof editTool>[] = [],
) {
  return createAgent({
    model,
    tools: [...more, ...operationTools(board, { thread })],
    middleware: [opstateMiddleware(board, { thread, field: "board" })],
    checkpointer: new MemorySaver(),
  });
}

/** A tool that makes an edit while it runs. */
function editTool(edit: () => Promise<unknown>) {
  return tool(async () => (await edit(), "ok"), { name: "think", description: "Think", schema: z.object({}) });
}

describe("edits during a run", () => {
  describe("of two users, between and during three steps", () => {
    async function editedRun() {
      const thread = await openSample();
      const rename = (cardId: string, title: string, actor: Actor) =>
        thread.dispatch(board.op.rename({ cardId, title }), { actor });
      const model = fakeModel()
        // While the model answers.
        .respond(() => (void rename("T-1", "ada 1", ada), call(["think", {}], ["move", { cardId: "T-3", to: "done" }])))
        .respond(
          () => (
            void rename("T-2", "ben 2", ben),
            void rename("T-1", "ada 3", ada),
            call(["rename", { cardId: "T-3", title: "agent" }])
          ),
        )
        .respond(() => (void rename("T-2", "ada 4", ada), say("done")));
      // While tools run.
      const think = editTool(() => rename("T-2", "ben 1", ben));
      const agent = agentOf(thread, model, [think]);
      const result = await agent.invoke({ messages: "go" }, config);
      const { values } = await agent.graph.getState(config);
      return { thread, result, values, calls: model.calls.map(({ messages }) => shownBoard(messages)) };
    }

    it("are in the state that the next model call is shown", async () => {
      const { calls } = await editedRun();
      expect(calls.map((shown) => shown.titles)).toEqual([
        { "T-1": "Task T-1", "T-2": "Task T-2", "T-3": "Task T-3" },
        { "T-1": "ada 1", "T-2": "ben 1", "T-3": "Task T-3" },
        { "T-1": "ada 3", "T-2": "ben 2", "T-3": "agent" },
      ]);
    });

    it("are shown to it as changes by others, once, and without its own", async () => {
      const { calls } = await editedRun();
      expect(calls[0]?.changes).toBe("");
      for (const text of ["ada", "ben", "ada 1", "ben 1"]) expect(calls[1]?.changes).toContain(text);
      for (const text of ["ada", "ben", "ada 3", "ben 2"]) expect(calls[2]?.changes).toContain(text);
      expect(calls[2]?.changes).not.toContain("ada 1");
      expect(calls[2]?.changes).not.toContain("agent");
    });

    it("are in the result and the last checkpoint, and in no message", async () => {
      const { thread, result, values } = await editedRun();
      const final = { "T-1": "ada 3", "T-2": "ada 4", "T-3": "agent" };
      expect(titles(thread.getState())).toEqual(final);
      expect(titles(result.board.state)).toEqual(final);
      expect(values["board"]).toEqual({ version: thread.version, state: thread.getState(), outcomes: {} });
      expect(JSON.stringify(values["messages"])).not.toMatch(/(ada|ben) \d|<board/);
      const verdicts = results(result.messages).map(({ text }) => text.split(" ", 1)[0]);
      expect(verdicts).toEqual(["ok", "Accepted:", "Accepted:"]);
    });
  });

  it("are shown within the budget, and not again", async () => {
    const thread = await openSample();
    const flood = async () => {
      for (let index = 0; index < 150; index++)
        await thread.dispatch(board.op.rename({ cardId: "T-1", title: `edit ${index} ${"x".repeat(40)}` }), {
          actor: index % 2 ? ada : ben,
        });
    };
    const model = fakeModel()
      .respond(call(["think", {}]))
      .respond(call(["rename", { cardId: "T-2", title: "agent" }]))
      .respond(say("done"));
    await agentOf(thread, model, [editTool(flood)]).invoke({ messages: "go" }, config);
    const [, second, third] = model.calls.map(({ messages }) => shownBoard(messages));
    expect(second?.changes.length).toBeGreaterThan(100);
    expect(second?.changes.length).toBeLessThan(600 * 4 + 200);
    expect(second?.titles["T-1"]).toContain("edit 149");
    expect(third?.changes).toBe("");
    expect(model.calls[2]!.messages.filter(({ text }) => /<board version="\d/.test(text))).toHaveLength(1);
    expect(shown(model.calls[2]!.messages)).not.toContain("<board-changes>");
  });

  it.each(["async", "sync", "exit"] as const)(
    "documents LangGraph: edits by graph.updateState are lost (durability %s)",
    async (durability) => {
      const edit = board.op.rename({ cardId: "T-2", title: "by Ada" });
      let edits = 0;
      const think = editTool(async () => {
        await agent.graph.updateState(config, { plain: edit, board: edit }, "tools");
        edits += 1;
      });
      const agent = createAgent({
        model: fakeModel()
          .respond(call(["think", {}]))
          .respond(say("done")),
        tools: [think],
        stateSchema: new StateSchema({ plain: stateField(board) }),
        middleware: [opstateMiddleware(board, { field: "board" })],
        checkpointer: new MemorySaver(),
      });
      const result = await agent.invoke({ messages: "go", plain: sample, board: sample }, { ...config, durability });
      expect(edits).toBe(1);
      expect([result.plain, result.board.state]).toEqual([sample, sample]);
      const { values } = await agent.graph.getState(config);
      expect([values["plain"], values["board"].state]).toEqual([sample, sample]);
    },
  );
});

describe("one thread", () => {
  it("puts the operations of two simultaneous runs in one order, and each run sees the other's", async () => {
    const thread = await openSample();
    const of = (cards: readonly string[]) => {
      const model = fakeModel();
      for (const cardId of cards) model.respond(call(["move", { cardId, to: "done" }]));
      return model.respond(say("done"));
    };
    const models = [of(["T-1", "T-3"]), of(["T-2", "T-3"])];
    await Promise.all(
      models.map((model, index) =>
        agentOf(thread, model).invoke({ messages: "go" }, { configurable: { thread_id: `run-${index}` } }),
      ),
    );
    expect(layout(thread.getState()).todo).toEqual([]);
    const history = await thread.history({ after: 1 });
    expect(history.flatMap((entry) => (entry.kind === "commit" ? [entry.commit.version] : []))).toEqual(
      Array.from({ length: thread.version - 1 }, (_, index) => index + 2),
    );
  });

  it("is shared by two graphs: the other is shown what one agent did", async () => {
    const thread = await openSample();
    const model = fakeModel().respond(say("1")).respond(say("2"));
    const reader = createAgent({
      model,
      tools: [],
      middleware: [opstateMiddleware(board, { thread, actor: { kind: "agent", id: "reader" }, field: "board" })],
      checkpointer: new MemorySaver(),
    });
    await reader.invoke({ messages: "go" }, config);
    const writer = fakeModel()
      .respond(call(["rename", { cardId: "T-1", title: "by the writer" }]))
      .respond(say("done"));
    await agentOf(thread, writer).invoke({ messages: "go" }, { configurable: { thread_id: "other" } });
    await reader.invoke({ messages: "go on" }, config);
    const seen = shownBoard(model.calls[1]?.messages ?? []);
    expect(seen.titles["T-1"]).toBe("by the writer");
    expect(seen.changes).toContain("by the writer");
  });

  it("executes each call whole or not at all when a run is aborted", async () => {
    const thread = await openSample();
    const aborter = new AbortController();
    const stop = tool(
      () => {
        aborter.abort(new Error("gone"));
        return new Promise<string>(() => undefined);
      },
      { name: "think", description: "Stop", schema: z.object({}) },
    );
    const model = fakeModel()
      .respond(call(["think", {}], ["remove", { cardId: "T-1" }], ["remove", { cardId: "T-2" }]))
      .respond(call(["remove", { cardId: "T-3" }]))
      .respond(say("done"));
    const agent = agentOf(thread, model, [stop]);
    await expect(agent.invoke({ messages: "go" }, { ...config, signal: aborter.signal })).rejects.toThrow();
    const history = await thread.history({ after: 1 });
    for (const entry of history) expect(entry.kind).toBe("commit");
    const ids = layout(thread.getState())["todo"] ?? [];
    expect(ids).toContain("T-3");
    expect(thread.version).toBe(1 + (3 - ids.length));
    expect(thread.getState()?.columns[0]?.cardCount).toBe(ids.length);
    // The thread, and the conversation, go on.
    const next = fakeModel().respond(say("on"));
    await agentOf(thread, next).invoke({ messages: "go on" }, { configurable: { thread_id: "next" } });
    expect(shownBoard(next.calls[0]?.messages ?? []).version).toBe(thread.version);
  });
});
