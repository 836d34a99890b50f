// A run of the graph as AG-UI events: the nodes' streams, and the state's patch after each node.
//
// Invariants:
// - RUN_STARTED comes first, then the current state and messages, and one terminal event last. An
//   aborted run has no terminal event.
// - Each STATE_DELTA leads from the state before a node to the state after it.

import { type AGUIEvent, EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import { Command } from "@langchain/langgraph";
import { diff } from "@opstate/core/json-patch";
import { type DebateView, viewOf } from "../debate/state.ts";
import { type Debates, interruptsOf, type Run } from "./debates.ts";

/** `onError` gets the cause of a failed run; the client gets a general message. */
export async function* runEvents(
  debates: Debates,
  run: Run,
  onError: (error: unknown) => void,
): AsyncGenerator<AGUIEvent, void> {
  const { id: threadId, runId, before, signal } = run;
  try {
    yield { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION };
    yield { type: EventType.STATE_SNAPSHOT, snapshot: before.state };
    yield { type: EventType.MESSAGES_SNAPSHOT, messages: [...before.messages] };
    yield* work(debates, run);
    yield await lastEvent(debates, run);
  } catch (error) {
    if (signal.aborted) return;
    onError(error);
    yield {
      type: EventType.RUN_ERROR,
      code: "debate_failed",
      message: "The model did not answer. What was said so far is kept, and the debate can go on from there.",
    };
  } finally {
    // A reader that left ends the graph's run, so the next run can start.
    run.abort();
    run.end();
  }
}

async function* work({ graph }: Debates, { id, input, before, signal }: Run): AsyncGenerator<AGUIEvent, void> {
  if (input === null) return;
  let view: DebateView = before.state;
  const given =
    input === "go on"
      ? null
      : "resume" in input
        ? new Command<unknown, Record<string, never>, "open">({ resume: input.resume })
        : input;
  const stream = await graph.stream(given, {
    configurable: { thread_id: id },
    streamMode: ["custom", "values"],
    // A step is stored before the next one begins.
    durability: "sync",
    signal,
    recursionLimit: 100,
  });
  for await (const [mode, payload] of stream) {
    if (mode === "custom") yield payload as AGUIEvent; // What nodes write are events: see speak.ts.
    else if ("turns" in payload) {
      const next = viewOf(payload);
      const delta = diff(view, next);
      view = next;
      if (delta.length > 0) yield { type: EventType.STATE_DELTA, delta: [...delta] };
    }
  }
}

async function lastEvent({ graph }: Debates, { id: threadId, runId, before }: Run): Promise<AGUIEvent> {
  const snapshot = await graph.getState({ configurable: { thread_id: threadId } });
  const { status, problem, inputTokens, outputTokens } = viewOf(snapshot.values);
  if (status === "error") return { type: EventType.RUN_ERROR, code: "no_topic", message: problem };
  const interrupts = interruptsOf(snapshot);
  return {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    outcome: interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success" },
    usage: [
      { inputTokens: inputTokens - before.state.inputTokens, outputTokens: outputTokens - before.state.outputTokens },
    ],
  };
}
