// Messages and state in LangGraph's real savers: what one process stored, another reads, resumes
// and goes back in.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import {
  Command,
  interrupt,
  MemorySaver,
  START,
  StateGraph,
  StateSchema,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { append, counter, defineAgentState, immutable, messages, oneOf } from "@opstate/core";
import { agentStateSchema, operationTools, opstateMiddleware, snapshotField, stateField } from "@opstate/langgraph";
import { createAgent, fakeModel } from "langchain";
import { Pool } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { board, layout, openSample, sample } from "../support/board.ts";
import { startPostgres } from "../support/postgres.ts";
import { call, say } from "../support/talk.ts";

const folder = mkdtempSync(join(tmpdir(), "opstate-saver-"));
const postgres = startPostgres();
const pools: Pool[] = [];
const memory = new MemorySaver();

afterAll(async () => {
  for (const pool of pools) await pool.end();
  postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A saver over the same storage each time, as another process would open it. */
const savers: readonly (readonly [string, () => Promise<BaseCheckpointSaver>])[] = [
  ["MemorySaver", async () => memory],
  ["SqliteSaver", async () => SqliteSaver.fromConnString(join(folder, "checkpoints.db"))],
  ...(postgres === undefined
    ? []
    : [
        [
          "PostgresSaver",
          async () => {
            const pool = new Pool(postgres.config);
            pools.push(pool);
            const saver = new PostgresSaver(pool, undefined, { schema: "opstate_test" });
            await saver.setup();
            return saver;
          },
        ] as const,
      ]),
];

const agentState = defineAgentState({
  messages: messages(),
  round: counter(),
  notes: append(z.string()),
  topic: immutable(""),
  status: oneOf(["running", "completed"]),
  board,
});
const Schema = agentStateSchema(agentState);

describe.each(savers)("%s", (name, open) => {
  const at = (id: string) => ({ configurable: { thread_id: `${name}-${id}` } });

  const graphOf = async () =>
    new StateGraph(Schema)
      .addNode("talk", (state) => ({
        messages: [
          Object.assign(
            new AIMessage({
              id: `ai-${state.round}`,
              content: [{ type: "text", text: "ü\u2028" }],
              tool_calls: [{ id: "c", name: "add", args: { a: [1] }, type: "tool_call" }],
            }),
            { usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } },
          ),
          new ToolMessage({
            id: `tool-${state.round}`,
            content: "1",
            tool_call_id: "c",
            artifact: { rows: [null, true] },
          }),
        ],
        round: 1,
        notes: "n",
        board: board.op.remove({ cardId: `T-${state.round + 1}` }),
      }))
      .addNode("ask", () => ({ notes: String(interrupt("more?")) }))
      .addEdge(START, "talk")
      .addEdge("talk", "ask")
      .compile({ checkpointer: await open() });

  describe("a graph that was interrupted", () => {
    let runs = 0;

    async function interrupted() {
      const config = at(`graph-${++runs}`);
      const graph = await graphOf();
      await graph.invoke({ messages: "Hello", topic: "tabs", board: sample }, config);
      return { config, stored: (await graph.getState(config)).values };
    }

    it("brings messages and state back as they were", async () => {
      const { config, stored } = await interrupted();
      const { values, next } = await (await graphOf()).getState(config);
      expect(next).toEqual(["ask"]);
      expect(values).toEqual(stored);
      const messages: BaseMessage[] = values.messages;
      expect(messages.map((message) => message.constructor)).toEqual([HumanMessage, AIMessage, ToolMessage]);
      expect(messages[1]).toMatchObject({
        content: [{ type: "text", text: "ü\u2028" }],
        usage_metadata: { total_tokens: 3 },
      });
      expect((messages[1] as AIMessage).tool_calls).toMatchObject([{ id: "c", name: "add", args: { a: [1] } }]);
      expect(messages[2]).toMatchObject({ tool_call_id: "c", artifact: { rows: [null, true] } });
    });

    it("resumes", async () => {
      const { config } = await interrupted();
      const resumed = await (await graphOf()).invoke(new Command({ resume: "yes" }), config);
      expect(resumed).toMatchObject({ round: 1, notes: ["n", "yes"], topic: "tabs", status: "running" });
      expect(layout(resumed.board)).toEqual({ todo: ["T-2", "T-3"], done: [] });
    });

    it("goes back in time", async () => {
      const { config } = await interrupted();
      const graph = await graphOf();
      await graph.invoke(new Command({ resume: "yes" }), config);
      await (await graphOf()).invoke({ topic: "spaces" }, config);
      const history = [];
      for await (const snapshot of graph.getStateHistory(config)) history.push(snapshot);
      const old = history.find((snapshot) => snapshot.values.round === 1 && snapshot.next.length === 0);
      const back = await graph.getState(old!.config);
      expect(back.values).toMatchObject({ round: 1, topic: "tabs" });
      expect(layout(back.values.board)).toEqual({ todo: ["T-2", "T-3"], done: [] });
      expect(layout((await graph.getState(config)).values.board)).toEqual({ todo: ["T-3"], done: [] });
    });
  });

  it("reads its own JSON: messages and state, from a client or a file", async () => {
    const graph = await graphOf();
    const result = await graph.invoke({ messages: "Hello", board: sample }, at("json"));
    const { messages: said, board: held } = JSON.parse(JSON.stringify(result));
    const copy = await (await graphOf()).invoke({ messages: said, board: held }, at("copy"));
    expect(copy.messages.slice(0, 3).map((message) => message.toDict())).toEqual(
      result.messages.map((message) => message.toDict()),
    );
    const again = await graph
      .updateState(at("json"), { messages: said, board: held }, "talk")
      .then(() => graph.getState(at("json")));
    expect(again.values.messages).toEqual(result.messages);
    expect(again.values.board).toEqual(result.board);
  });

  it("brings stateField and snapshotField back, with their verdicts", async () => {
    const State = new StateSchema({ plain: stateField(board), board: snapshotField(board) });
    const compile = async () =>
      new StateGraph(State)
        .addNode("a", () => ({
          plain: board.op.remove({ cardId: "T-1" }),
          board: { type: "$submission" as const, id: "1", operation: board.op.remove({ cardId: "T-9" }) },
        }))
        .addEdge(START, "a")
        .compile({ checkpointer: await open() });
    const stored = await (await compile()).invoke({ plain: sample, board: sample }, at("fields"));
    const { values } = await (await compile()).getState(at("fields"));
    expect(values).toEqual(stored);
    expect(values["board"].outcomes["1"]).toMatchObject({ accepted: false, rejection: { reason: "card_not_found" } });
  });

  it("brings an agent back whose checkpoints have the version only", async () => {
    const thread = await openSample(`${name}-version`);
    const model = fakeModel()
      .respond(call(["remove", { cardId: "T-1" }]))
      .respond(say("1"))
      .respond(say("2"));
    const agentOf = async () =>
      createAgent({
        model,
        tools: operationTools(board, { thread }),
        middleware: [opstateMiddleware(board, { thread, field: "board", checkpoint: "version" })],
        checkpointer: await open(),
      });
    await (await agentOf()).invoke({ messages: "go" }, at("version"));
    const agent = await agentOf();
    expect((await agent.graph.getState(at("version"))).values["board"]).toEqual({
      version: 2,
      state: null,
      outcomes: {},
    });
    const { board: field, messages: said } = await agent.invoke({ messages: "go on" }, at("version"));
    expect(field).toEqual({ version: 2, state: thread.getState(), outcomes: {} });
    expect(said.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai", "human", "ai"]);
  });
});
