// Several threads of one definition in one agent, and what hooks see of a run.

import { Command, MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { operationTools, opstateMiddleware, replacementTool, type RunConfig } from "@opstate/langgraph";
import { createAgent, createMiddleware, fakeModel } from "langchain";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ada, board, layout, openSample, sample } from "../support/board.ts";
import { ids, lines, list, openList, waiting } from "../support/guarded.ts";
import { call, say } from "../support/talk.ts";

const savers: readonly (readonly [string, () => BaseCheckpointSaver])[] = [
  ["MemorySaver", () => new MemorySaver()],
  ["SqliteSaver", () => SqliteSaver.fromConnString(":memory:")],
];
const config = { configurable: { thread_id: "t" } };

describe.each(savers)("two threads of one definition in one agent, with %s", (_name, saver) => {
  it("have separate tools, verdicts, fields and changes", async () => {
    const [left, right] = [await openSample(), await openSample()];
    const model = fakeModel()
      .respond(
        call(
          ["left_remove", { cardId: "T-1" }],
          ["right_move", { cardId: "T-2", to: "done" }],
          ["right_remove", { cardId: "T-9" }],
        ),
      )
      .respond(say("done"))
      .respond(say("seen"));
    const agent = createAgent({
      model,
      tools: [
        ...operationTools(board, { thread: left, middleware: "left" }),
        ...operationTools(board, { thread: right, middleware: "right" }),
      ],
      middleware: [
        opstateMiddleware(board, { thread: left, name: "left", field: "left" }),
        opstateMiddleware(board, { thread: right, name: "right", field: "right" }),
      ],
      checkpointer: saver(),
    });
    const state = await agent.invoke({ messages: "go" }, config);
    expect(lines(state.messages)).toEqual([
      "Accepted: left is now at version 2.",
      "Accepted: right is now at version 2.",
      'Refused (card_not_found): No card "T-9"',
    ]);
    expect([left, right].map((thread) => layout(thread.getState()))).toEqual([
      { todo: ["T-2", "T-3"], done: [] },
      { todo: ["T-1", "T-3"], done: ["T-2"] },
    ]);
    expect([state.left.state, state.right.state]).toEqual([left.getState(), right.getState()]);
    const [, commit] = (await right.history()).flatMap((entry) => (entry.kind === "commit" ? [entry.commit] : []));
    expect(commit?.runId).toMatch(/^[\da-f]{32}$/);

    await left.dispatch(board.op.rename({ cardId: "T-2", title: "by Ada" }), { actor: ada });
    await agent.invoke({ messages: "what changed?" }, config);
    const [toldLeft, toldRight] = model.calls.at(-1)!.messages.slice(-2);
    expect([toldLeft?.text, toldRight?.text]).toEqual([
      expect.stringMatching(/<left version="3">[^]*<left-changes>[^]*by Ada/),
      expect.not.stringContaining("-changes>"),
    ]);
    expect(toldRight?.text).toContain('<right version="2">');
  });

  it("are approved separately", async () => {
    const [left, right] = [await openList(), await openList()];
    const model = fakeModel()
      .respond(call(["left_remove", { id: "A" }], ["right_remove", { id: "B" }]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: [
        ...operationTools(list, { thread: left, middleware: "left" }),
        ...operationTools(list, { thread: right, middleware: "right" }),
      ],
      middleware: [
        opstateMiddleware(list, { thread: left, name: "left" }),
        opstateMiddleware(list, { thread: right, name: "right" }),
      ],
      checkpointer: saver(),
    });
    const stopped = await agent.invoke({ messages: "go" }, config);
    expect(await left.proposals()).toHaveLength(1);
    expect(await right.proposals()).toHaveLength(1);
    const asked = waiting(stopped);
    const resume = { [asked["A"]!.id]: { type: "accept" }, [asked["B"]!.id]: { type: "decline", message: "no" } };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(lines(messages)).toEqual([
      "Accepted: left is now at version 2.",
      expect.stringContaining("Refused (declined)"),
    ]);
    expect([ids(left), ids(right)]).toEqual(["BCD", "ABCD"]);
  });

  it("have separate fields when fields decide", async () => {
    const model = fakeModel()
      .respond(call(["left_remove", { cardId: "T-1" }], ["right_remove", { cardId: "T-9" }]))
      .respond(say("done"));
    const agent = createAgent({
      model,
      tools: [
        replacementTool(board, { field: "right", name: "build", description: "Build" }),
        ...operationTools(board, { field: "left", prefix: "left_" }),
        ...operationTools(board, { field: "right", prefix: "right_" }),
      ],
      middleware: [
        opstateMiddleware(board, { field: "left", name: "left" }),
        opstateMiddleware(board, { field: "right", name: "right" }),
      ],
      checkpointer: saver(),
    });
    const { messages, left, right } = await agent.invoke({ messages: "go", left: sample, right: sample }, config);
    expect(lines(messages)).toEqual(["Accepted: left is now at version 2.", 'Refused (card_not_found): No card "T-9"']);
    expect([left.version, right.version]).toEqual([2, 1]);
  });
});

it('narrows with `narrow: "tools"` each thread\'s tools to what its own state allows', async () => {
  const offered: string[][] = [];
  const watch = createMiddleware({
    name: "watch",
    wrapModelCall: (request, handler) => (
      offered.push(request.tools.map((tool) => String(tool["name"]))),
      handler(request)
    ),
  });
  const full = await openSample();
  await createAgent({
    model: fakeModel().respond(say("1")),
    tools: [
      replacementTool(board, { thread: full, name: "build", description: "Build", middleware: "full" }),
      ...operationTools(board, { thread: full, middleware: "full" }),
      ...operationTools(board, { field: "none", prefix: "none_" }),
    ],
    middleware: [
      opstateMiddleware(board, { thread: full, name: "full", narrow: "tools" }),
      opstateMiddleware(board, { field: "none", name: "none", narrow: "tools" }),
      watch,
    ],
  }).invoke({ messages: "go" });
  expect(offered).toEqual([["build", "full_move", "full_remove", "full_rename", "full_explode"]]);
});

it.each(["a:b", "a|b", "", "1st", "x".repeat(65)])("throws an error for the name %j", async (name) => {
  const thread = await openSample();
  expect(() => opstateMiddleware(board, { thread, name })).toThrow(
    'must start with a letter and have at most 64 letters, digits, "_" or "-"',
  );
  expect(() => opstateMiddleware(board, { field: "board", name })).toThrow(
    'must start with a letter and have at most 64 letters, digits, "_" or "-"',
  );
});

describe("LangChain's context", () => {
  it.each(["the agent's contextSchema", "none"])(
    "is what hooks see, as tools do, and metadata too, with %s",
    async (schema) => {
      const threads = new Map([
        ["ada", await openSample()],
        ["ben", await openSample()],
      ]);
      const seen: unknown[] = [];
      const thread = ({ context, metadata }: RunConfig) => (
        seen.push(metadata?.["team"]),
        threads.get(String(context?.["user"]))!
      );
      const actor = ({ context }: RunConfig) =>
        ({ kind: "agent", id: `helper of ${String(context?.["user"])}` }) as const;
      const model = fakeModel();
      for (let run = 0; run < 2; run++) model.respond(call(["remove", { cardId: "T-1" }])).respond(say("done"));
      const agent = createAgent({
        model,
        tools: operationTools(board, { thread, actor }),
        middleware: [opstateMiddleware(board, { thread, actor, field: "board" })],
        ...(schema === "none" ? {} : { contextSchema: z.object({ user: z.string() }) }),
      });
      for (const user of ["ben", "ada"]) {
        const { board: field } = await agent.invoke({ messages: "go" }, {
          context: { user },
          metadata: { team: "docs" },
        } as never);
        expect(field.version).toBe(2);
      }
      expect([...threads.values()].map(({ version }) => version)).toEqual([2, 2]);
      expect(new Set(seen)).toEqual(new Set(["docs"]));
    },
  );
});
