// A run of many messages with calls: an event writes no more to tables late in it than at its
// beginning.

import { expect, it, vi } from "vitest";
import type { AGUIEvent } from "@ag-ui/core";
import {
  chatReducer,
  ChatSession,
  type ChatState,
  expandChunks,
  initialChatState,
  verifyEvents,
} from "../../src/index.ts";
import { calls, finished, says, serveAgent, started } from "./support/agent-server.ts";

/** How often anything is put into a map or set, copying one included. */
async function writes(work: () => Promise<unknown>): Promise<number> {
  const spies = [vi.spyOn(Map.prototype, "set"), vi.spyOn(Set.prototype, "add")];
  try {
    await work();
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function* answeredCall(at: number) {
  yield* says(`m${at}`, "x");
  yield* calls(`c${at}`, "search", {});
  yield { type: "TOOL_CALL_RESULT", messageId: `r${at}`, toolCallId: `c${at}`, content: "found" };
}

function* chunkedCall(at: number) {
  yield { type: "TEXT_MESSAGE_CHUNK", messageId: `m${at}`, delta: "x" };
  yield {
    type: "TOOL_CALL_CHUNK",
    toolCallId: `c${at}`,
    toolCallName: "search",
    parentMessageId: `m${at}`,
    delta: "{}",
  };
  yield { type: "TOOL_CALL_RESULT", messageId: `r${at}`, toolCallId: `c${at}`, content: "found" };
}

function* subagent(at: number) {
  yield { type: "SUBAGENT_STARTED", subagentRunId: `s${at}`, name: "scout" };
  yield { type: "SUBAGENT_FINISHED", subagentRunId: `s${at}` };
}

function* openReasoning(at: number) {
  yield { type: "REASONING_START", messageId: `s${at}` };
  yield { type: "REASONING_MESSAGE_START", messageId: `q${at}`, role: "reasoning" };
}

const run = { threadId: "t", runId: "r" };
/** As a stream brings it: of no type that a compiler knows. */
const wire = (events: readonly object[]) => events as readonly AGUIEvent[];
const streamOf = (size: number, turn: (at: number) => Iterable<object>) =>
  wire([{ type: "RUN_STARTED", ...run }, ...Array.from({ length: size }, (_, at) => [...turn(at)]).flat()]);

it.each([
  ["messages with calls", answeredCall],
  ["chunks", chunkedCall],
  ["subagents", subagent],
  ["reasoning without an end", openReasoning],
])("the stages and the fold: %s", async (_what, turn) => {
  async function cost(size: number) {
    const events = streamOf(size, turn);
    return {
      staged: await writes(async () => [...verifyEvents(expandChunks(events))]),
      folded: await writes(async () => events.reduce<ChatState>(chatReducer, initialChatState())),
    };
  }
  const [few, many] = [await cost(200), await cost(400)];
  expect(many.staged).toBeLessThan(few.staged * 2.2 + 20);
  expect(many.folded).toBeLessThan(few.folded * 2.2 + 20);
});

it("a session that reads them from a server", async () => {
  async function cost(size: number) {
    const { url } = await serveAgent(async function* (served) {
      yield started(served);
      for (let at = 0; at < size; at += 1) yield* answeredCall(at);
      yield finished(served);
    });
    const session = new ChatSession({ url });
    session.subscribe(() => {});
    const count = await writes(() => session.send("Go"));
    expect(session.getState().phase).toBe("idle");
    expect(session.getState().messages).toHaveLength(1 + 3 * size);
    return count;
  }
  const [few, many] = [await cost(200), await cost(400)];
  expect(many).toBeLessThan(few * 2.5);
});
