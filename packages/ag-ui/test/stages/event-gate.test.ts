// The gate of a session: it passes what the public stages pass, and what it checked is not checked
// again.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatReducer, ChatSession, chunkStage, initialChatState, verifyStage } from "@opstate/ag-ui";
import { createEventGate } from "../../src/stages/event-gate.ts";
import { sequences } from "../differential/sequences.ts";

/** A snapshot that counts how often its content is read. */
function countingSnapshot() {
  const counter = { reads: 0 };
  const event = {
    type: "STATE_SNAPSHOT",
    snapshot: {
      get items() {
        counter.reads += 1;
        return [1, 2];
      },
    },
  };
  return { event, counter };
}

/** What the two stages pass for each event, one stage after the other. */
function throughStages(events: readonly unknown[]): unknown[] {
  let [chunks, order] = [chunkStage.initial(), verifyStage.initial()];
  return events.flatMap((event) => {
    const [nextChunks, whole] = chunkStage.step(chunks, event as never);
    chunks = nextChunks;
    return whole.flatMap((each) => {
      const [nextOrder, passed] = verifyStage.step(order, each);
      order = nextOrder;
      return passed;
    });
  });
}

describe("the gate", () => {
  it("passes what the chunk stage and the verify stage pass", () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const gate = createEventGate();
        expect(events.flatMap((event) => gate.pass(event))).toEqual(throughStages(events));
      }),
      { numRuns: 300 },
    );
  });

  it("followed by the fold gives the same state as the fold alone of the passed events", () => {
    fc.assert(
      fc.property(sequences, (events) => {
        const gate = createEventGate();
        const passed: unknown[] = [];
        let checked = initialChatState();
        for (const event of events) {
          for (const each of gate.pass(event)) {
            passed.push(each);
            checked = chatReducer(checked, each);
          }
        }
        // No result is kept by now.
        expect(passed.reduce(chatReducer, initialChatState())).toEqual(checked);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the result of its check", () => {
  it("is made once in a session", async () => {
    const { event, counter } = countingSnapshot();
    const session = new ChatSession({
      transport: async function* (run) {
        yield { type: "RUN_STARTED", threadId: run.threadId, runId: run.runId };
        yield event;
        yield { type: "RUN_FINISHED", threadId: run.threadId, runId: run.runId };
      },
    });
    const { state } = await session.send("Hi");
    expect(state).toEqual({ items: [1, 2] });
    expect(counter.reads).toBe(1);
  });

  it("is used by one fold, and the next one checks the event again", () => {
    const { event, counter } = countingSnapshot();
    const gate = createEventGate();
    gate.pass({ type: "RUN_STARTED", threadId: "t", runId: "r" });
    gate.pass(event);
    chatReducer(initialChatState(), event);
    expect(counter.reads).toBe(1);
    chatReducer(initialChatState(), event);
    expect(counter.reads).toBe(2);
  });

  it("is that of the event as it was at the gate", () => {
    const event = { type: "STATE_SNAPSHOT", snapshot: { count: 1 } };
    const gate = createEventGate();
    gate.pass({ type: "RUN_STARTED", threadId: "t", runId: "r" });
    gate.pass(event);
    event.snapshot.count = Number.NaN;
    expect(chatReducer(initialChatState(), event).state).toEqual({ count: 1 });
    expect(chatReducer(initialChatState(), event).error?.kind).toBe("malformed");
  });

  it("is replaced when the same object arrives again with other content", () => {
    const event: Record<string, unknown> = { type: "STATE_SNAPSHOT", snapshot: { count: 1 } };
    const gate = createEventGate();
    gate.pass({ type: "RUN_STARTED", threadId: "t", runId: "r" });
    gate.pass(event);
    delete event["snapshot"];
    Object.assign(event, { type: "TEXT_MESSAGE_CHUNK", messageId: "m", delta: "x" });
    gate.pass(event);
    expect(chatReducer(initialChatState(), event)).toMatchObject({ state: {}, messages: [{ content: "x" }] });
  });
});
