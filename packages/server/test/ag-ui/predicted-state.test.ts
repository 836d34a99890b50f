// An agent that announces its tool by `PredictState`, as graphs for CopilotKit do: a page shows
// what the tool will write while its arguments arrive.

import { ChatSession } from "@opstate/ag-ui";
import { createClient } from "@opstate/client";
import { followChat, intentsOf } from "@opstate/client/intents";
import { defineState, memoryLog } from "@opstate/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { type Agent, type AgentEvent, createServer } from "../../src/index.ts";

// A busy machine is slow.
vi.setConfig({ testTimeout: 900_000 });

const letter = defineState({
  name: "letter",
  schema: z.object({ body: z.string(), signed: z.boolean() }),
  initial: { body: "", signed: false },
  operations: {
    write: {
      input: z.object({ body: z.string().meta({ freeText: true }) }),
      apply: (draft, { body }) => void (draft.body = body),
    },
  },
});

it("shows a predicted text while it is written, and the thread's when it is", async () => {
  let show = () => {};
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  const server = createServer({
    definitions: [letter],
    log: memoryLog(),
    insecure: true,
    agents: {
      writer: {
        definition: "letter",
        async *run({ thread, input: { runId } }) {
          const prediction = { state_key: "body", tool: "write_letter", tool_argument: "text" };
          yield { type: "CUSTOM", name: "PredictState", value: [prediction] };
          yield { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "write_letter" };
          yield { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"text":"Dear ' };
          await shown;
          yield { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: 'Ada"}' };
          yield { type: "TOOL_CALL_END", toolCallId: "c1" };
          const actor = { kind: "agent", id: "writer" };
          await thread.dispatch(letter.op.write({ body: "Dear Ada" }), { actor, runId, toolCallId: "c1" });
          yield { type: "TOOL_CALL_RESULT", messageId: "m1", toolCallId: "c1", content: "Written" };
        },
      },
    },
  });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  await (await server.thread("l1", letter)).close();
  const client = createClient({ url });
  onTestFinished(() => client.close());
  const thread = client.thread(letter, "l1");
  const intents = intentsOf(thread);
  intents.subscribe(({ view }) => {
    if (view.body === "Dear ") show();
  });
  await thread.ready();
  const chat = new ChatSession({ url: `${url}/ag-ui/writer`, threadId: "l1" });
  followChat(thread, chat);
  const run = chat.send("Write to Ada");
  await shown;
  expect([intents.getState().intents, thread.getState().body]).toMatchObject([[{ type: "write" }], ""]);
  expect((await run).phase).toBe("idle");
  await vi.waitUntil(() => thread.getState().body === "Dear Ada", { interval: 10, timeout: 300_000 });
  await vi.waitUntil(() => intents.getState().intents.length === 0, { interval: 10, timeout: 300_000 });
});

describe("a predicted text that the thread does not get", () => {
  const prediction = { state_key: "body", tool: "write_letter", tool_argument: "text" };
  const words: AgentEvent[] = [
    { type: "CUSTOM", name: "PredictState", value: [prediction] },
    { type: "TOOL_CALL_START", toolCallId: "c1", toolCallName: "write_letter" },
    { type: "TOOL_CALL_ARGS", toolCallId: "c1", delta: '{"text":"Dear Ada"}' },
  ];
  const result: AgentEvent = { type: "TOOL_CALL_RESULT", messageId: "m1", toolCallId: "c1", content: "Refused" };

  /** The types of the events after the arguments. */
  async function eventsOf(run: Agent): Promise<readonly string[]> {
    const server = createServer({
      definitions: [letter],
      log: memoryLog(),
      insecure: true,
      onError: () => undefined,
      agents: { writer: { definition: "letter", run } },
    });
    onTestFinished(() => server.close());
    const { url } = await server.listen();
    const response = await fetch(`${url}/ag-ui/writer`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ threadId: "l1", runId: "r1", messages: [] }),
    });
    const types = [...(await response.text()).matchAll(/^data: \{"type":"(\w+)"/gm)].map(([, type = ""]) => type);
    return types.slice(types.lastIndexOf("TOOL_CALL_ARGS") + 1);
  }

  it("is taken back before the result of a call that was refused", async () => {
    async function* run(): AsyncGenerator<AgentEvent> {
      yield* words;
      yield result;
    }
    expect(await eventsOf(run)).toEqual(["STATE_SNAPSHOT", "TOOL_CALL_RESULT", "RUN_FINISHED"]);
  });

  it("is taken back at the end of a run that does not finish its call", async () => {
    async function* run(): AsyncGenerator<AgentEvent> {
      yield* words;
    }
    expect(await eventsOf(run)).toEqual(["STATE_SNAPSHOT", "RUN_FINISHED"]);
  });

  it("is taken back when the agent fails", async () => {
    async function* run(): AsyncGenerator<AgentEvent> {
      yield* words;
      throw new Error("The model is away.");
    }
    expect(await eventsOf(run)).toEqual(["STATE_SNAPSHOT", "RUN_ERROR"]);
  });

  it("needs nothing more when the thread got it", async () => {
    const run: Agent = async function* ({ thread }) {
      yield* words;
      await thread.dispatch(letter.op.write({ body: "Dear Ada" }), { actor: { kind: "agent", id: "writer" } });
      yield result;
    };
    expect(await eventsOf(run)).toEqual(["STATE_DELTA", "CUSTOM", "TOOL_CALL_RESULT", "RUN_FINISHED"]);
  });
});
