// The session of @opstate/ag-ui with this server: runs, proposals, and conversations stored in the
// server's log.

import { chatDefinition, ChatSession, createChatReducer, initialChatState, serverStorage } from "@opstate/ag-ui";
import { createReplica, memoryLog } from "@opstate/core";
import { describe, expect, it } from "vitest";
import { httpTransport } from "../../src/client/index.ts";
import type { Agent } from "../../src/index.ts";
import { addCard, board, note } from "../support/board.ts";
import { ada, asUser, send, start } from "../support/server.ts";

const robot = { kind: "agent", id: "robot" };

const helper: Agent = async function* ({ thread, input }) {
  const asked = input.messages.at(-1)?.content;
  const text = typeof asked === "string" ? asked : "";
  yield {
    type: "TOOL_CALL_CHUNK",
    toolCallId: `t-${input.runId}`,
    toolCallName: "addCard",
    delta: JSON.stringify({ title: text }),
  };
  const { accepted } = await thread.dispatch(addCard(`c-${input.runId}`, text), { actor: robot, runId: input.runId });
  yield {
    type: "TOOL_CALL_RESULT",
    messageId: `r-${input.runId}`,
    toolCallId: `t-${input.runId}`,
    content: JSON.stringify({ accepted }),
  };
  yield { type: "TEXT_MESSAGE_CHUNK", messageId: `m-${input.runId}`, delta: `I added ${text}.` };
};

const serve = () =>
  start({ definitions: [board, note, chatDefinition], agents: { robot: { run: helper, definition: "board" } } });

describe("a session with the server", () => {
  async function afterOneRun() {
    const { url } = await serve();
    const session = new ChatSession({
      url: `${url}/ag-ui/robot`,
      threadId: "launch",
      headers: ada,
      reducer: createChatReducer({ definition: board }),
      initial: initialChatState({ state: board.initial }),
    });
    const state = await session.send("Milk");
    return { url, state };
  }

  it("shows the thread's state and the messages of the run", async () => {
    const { url, state } = await afterOneRun();
    expect(state.phase).toBe("idle");
    expect(state.state.columns[0]?.cards.map(({ title }) => title)).toEqual(["Milk"]);
    expect(state.state).toEqual((await send(`${url}/threads/launch`, "GET")).body.state);
    expect(state.conflicts).toEqual([]);
    expect(state.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("gets each commit with its actor and operation", async () => {
    const { state } = await afterOneRun();
    expect(state.custom["opstate.commit"]).toMatchObject({ version: 1, actor: robot, operation: { type: "addCard" } });
  });

  it("shows the same state as a replica of the thread", async () => {
    const { url, state } = await afterOneRun();
    const replica = createReplica({
      definition: board,
      transport: httpTransport({ url, threadId: "launch", headers: ada }),
    });
    await new Promise<void>((resolve) => {
      const stop = replica.subscribe(() => {
        stop();
        resolve();
      });
    });
    expect(replica.getState()).toEqual(state.state);
    replica.close();
  });
});

describe("serverStorage", () => {
  const open = (url: string, headers = ada) =>
    new ChatSession({
      url: `${url}/ag-ui/robot`,
      threadId: "launch",
      headers,
      storage: serverStorage({ url, headers }),
    });

  it("stores a conversation in the log of the server, where another session continues it", async () => {
    const { url } = await serve();
    const session = open(url);
    await session.send("Milk");
    await session.saved();
    const other = open(url);
    await other.ready;
    expect(other.getState()).toEqual(session.getState());
    await other.send("Bread");
    await other.saved();
    const third = open(url);
    await third.ready;
    expect(third.getState()).toEqual(other.getState());
    expect(third.getState().messages).toHaveLength(8);
  });

  it("sends what is new, not the whole conversation again", async () => {
    const { url } = await serve();
    const session = open(url);
    for (const text of ["one", "two", "three"]) await session.send(text);
    await session.saved();
    const history = await send(`${url}/threads/chat.launch/history`, "GET");
    const last = history.body.at(-1).commit.operation;
    expect(last).toMatchObject({ type: "save", from: 9 });
    expect(last.messages).toHaveLength(3);
  });

  it("stores the last version when two sessions save one conversation", async () => {
    const { url } = await serve();
    const [first, second] = [open(url), open(url)];
    await Promise.all([first.ready, second.ready]);
    await first.send("one");
    await first.saved();
    await second.send("two");
    await second.saved();
    const now = open(url);
    await now.ready;
    expect(now.getState()).toEqual(second.getState());
    await first.send("three");
    await first.saved();
    const later = open(url);
    await later.ready;
    expect(later.getState()).toEqual(first.getState());
  });

  it("deletes a cleared conversation, and reports when it may not store one", async () => {
    const { url } = await serve();
    const session = open(url);
    await session.send("Milk");
    await session.clear();
    const again = open(url);
    await again.ready;
    expect(again.getState().messages).toEqual([]);
    const errors: string[] = [];
    const reader = new ChatSession({
      url: `${url}/ag-ui/robot`,
      threadId: "other",
      headers: ada,
      storage: serverStorage({ url, headers: asUser("bob", "read") }),
      onError: (error) => void errors.push(String(error)),
    });
    expect((await reader.send("Milk")).phase).toBe("idle");
    await reader.saved();
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toContain("403");
  });

  it("has the conversation after a restart of the server", async () => {
    const log = memoryLog();
    const options = {
      log,
      definitions: [board, chatDefinition],
      agents: { robot: { run: helper, definition: "board" } },
    };
    const before = await start(options);
    const session = open(before.url);
    await session.send("Milk");
    await session.saved();
    await before.server.close();
    const after = await start(options);
    const again = open(after.url);
    await again.ready;
    expect(again.getState()).toEqual(session.getState());
  });
});
