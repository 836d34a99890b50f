// One run as a stream of AG-UI events: the agent's own, and the thread's commits, whoever made them.
//
// Invariants: RUN_STARTED is first, STATE_SNAPSHOT second, one terminal event last; a run that never began ends with RUN_ERROR alone;
// the agent waits for a reader that is behind; when the reader leaves, the agent's signal aborts and the run settles, even if the agent
// goes on.

import { EventType, omitOptionalNulls, PROTOCOL_VERSION, type RunAgentInput } from "@ag-ui/core";
import type { Actor, Thread } from "@opstate/core";
import { encodeEvent, type EventStream, type EventStreams, type StreamTarget } from "../http/event-stream.ts";
import type { Agent, AgentEvent } from "./agent.ts";
import type { RunQueue } from "./run-queue.ts";
import { sendState } from "./state-events.ts";
import { untilAborted } from "./until-aborted.ts";

export interface RunServices {
  readonly streams: EventStreams;
  readonly queue: RunQueue;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  readonly onError: (error: unknown) => void;
}

interface Run {
  readonly agent: Agent;
  readonly input: RunAgentInput;
  readonly thread: Thread;
  /** Keeps the thread open until the returned function is called. */
  readonly hold: () => () => void;
  readonly actor: Actor;
}

/** Queues the run behind the thread's earlier ones and answers at once. */
export function serveRun(run: Run, target: StreamTarget, { streams, queue, closing, onError }: RunServices): Response {
  const aborter = new AbortController();
  const stream = streams.open(target, () => aborter.abort());

  function close(): void {
    sendEvent(stream, { type: EventType.RUN_ERROR, message: "The server is closing.", code: "closing" });
    stream.end();
  }

  async function perform(): Promise<void> {
    const release = run.hold();
    try {
      await queue.enqueue(run.thread.threadId, aborter.signal, () => play(run, stream, aborter.signal));
    } catch (error) {
      onError(error);
      // What broke is the application's to know; a client learns that it broke.
      sendEvent(stream, { type: EventType.RUN_ERROR, message: "The agent failed.", code: "agent_failed" });
    }
    release();
    closing.removeEventListener("abort", close);
    stream.end();
  }

  closing.addEventListener("abort", close);
  void perform();
  return stream.response;
}

async function play({ agent, input, thread, actor }: Run, stream: EventStream, signal: AbortSignal): Promise<void> {
  const { threadId, runId } = input;
  sendEvent(stream, { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION });
  const state = sendState(thread, stream);
  try {
    const last = await forward(agent({ input, thread, actor, signal }), stream, signal);
    state.flush();
    sendEvent(stream, last?.type === EventType.RUN_ERROR ? last : { ...last, type: EventType.RUN_FINISHED, threadId, runId });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    state.stop();
  }
}

/** Sends the agent's events until it ends; returns its terminal event when it had one. */
async function forward(events: AsyncIterable<AgentEvent>, stream: EventStream, signal: AbortSignal): Promise<AgentEvent | undefined> {
  for await (const given of untilAborted(events, signal)) {
    const event = omitOptionalNulls(given, "Event");
    if (event.type === EventType.RUN_FINISHED || event.type === EventType.RUN_ERROR) return event;
    if (!reserved.has(event.type)) sendEvent(stream, event);
    await stream.room();
  }
  return undefined;
}

/** The server's own: an agent written without types may send them nevertheless. */
const reserved = new Set<string>([EventType.RUN_STARTED, EventType.STATE_SNAPSHOT, EventType.STATE_DELTA]);

function sendEvent(stream: EventStream, event: object): void {
  stream.send(encodeEvent({ data: event }));
}
