// A page that shows the events of a conversation beside its state.

import { ChatSession, type ChatState, type RecordedChat } from "@opstate/ag-ui";
import { useAgentState } from "@opstate/react";
import { renderHook } from "vitest-browser-react";
import { expect, expectTypeOf, test } from "vitest";

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

test("each render has the state and the events of one moment, and many events are one render", async () => {
  const session = speaker();
  const rendered: RecordedChat[] = [];
  const { result } = await renderHook(() => {
    const recorded = useAgentState(session.recording);
    if (rendered.at(-1) !== recorded) rendered.push(recorded);
    return recorded;
  });
  await session.send("Count");
  await expect.poll(() => result.current.length).toBe(session.recording.length);
  expect(result.current.state).toBe(session.getState());
  for (const { state, entries, length } of rendered) {
    expect(entries).toHaveLength(length);
    expect(state).toEqual(session.replayTo(length));
  }
  expect(rendered.length).toBeLessThan(EVENTS);
  expectTypeOf(result.current.state).toEqualTypeOf<ChatState>();
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
  const { result } = await renderHook(() => useAgentState(session.recording, ({ entries }) => entries.length));
  void session.send("Hi");
  await expect.poll(() => result.current).toBe(4);
  session.abort();
});
