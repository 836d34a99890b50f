// A run of the graph as AG-UI events: what its nodes say as they say it, and the state's patch
// after each of them.
//
// Invariants: RUN_STARTED first, then the state and the messages as they stand, one terminal event
// last; an aborted run has none, for nobody listens; each STATE_DELTA leads from the state before
// to the state after, so a client's copy is never behind a finished step.

import { type AGUIEvent, EventType, PROTOCOL_VERSION } from "@ag-ui/core";
import { Command } from "@langchain/langgraph";
import { diff } from "@opstate/core/json-patch";
import { type DebateView, viewOf } from "../debate/state.ts";
import { type Debates, interruptsOf, type Run } from "./debates.ts";

/** `onError` hears why a run failed; its client learns it in general words. */
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
    // Whoever stopped reading does not wait for the graph; the next run waits until this one has
    // let go.
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
