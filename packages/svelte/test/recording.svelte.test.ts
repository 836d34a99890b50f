// A page that shows the events of a conversation beside its state.

import { ChatSession, type ChatState, type RecordedChat } from "@opstate/ag-ui";
import { AgentState } from "@opstate/svelte";
import { flushSync } from "svelte";
import { expect, expectTypeOf, test } from "vitest";
import { watch } from "./support/watch.svelte.ts";

const EVENTS = 300;

/** An agent that says a word an event, and between two words something that changes no state. */
function speaker() {
  return new ChatSession({
    async *transport({ threadId, runId }) {
      yield { type: "RUN_STARTED", threadId, runId };
      for (let index = 0; index < EVENTS; index += 1) {
        yield { type: "TEXT_MESSAGE_CHUNK", messageId: "m1", delta: `${index} ` };
        yield { type: "CUSTOM", name: "beat", value: 1 };
      }
      yield { type: "RUN_FINISHED", threadId, runId };
    },
  });
}

test("each effect has the state and the events of one moment", async () => {
  const session = speaker();
  const recorded = new AgentState(session.recording);
  const { seen } = watch<RecordedChat>(() => recorded.current);
  await session.send("Count");
  await expect.poll(() => (flushSync(), seen.at(-1)?.length)).toBe(session.recording.length);
  expect(recorded.current.state).toBe(session.getState());
  for (const { state, entries, length } of seen) {
    expect(entries).toHaveLength(length);
    expect(state).toEqual(session.replayTo(length));
  }
  expectTypeOf(recorded.current.state).toEqualTypeOf<ChatState>();
});

test("an event that leaves the state as it is shows too", async () => {
  const session = new ChatSession({
    async *transport({ threadId, runId }) {
      yield { type: "RUN_STARTED", threadId, runId };
      yield { type: "CUSTOM", name: "beat", value: 1 };
      yield { type: "CUSTOM", name: "beat", value: 1 };
      await new Promise(() => undefined);
    },
  });
  const count = new AgentState(session.recording).select(({ entries }) => entries.length);
  const { seen } = watch(() => count.current);
  void session.send("Hi");
  await expect.poll(() => (flushSync(), seen.at(-1))).toBe(4);
  session.abort();
});
