// One run as a stream of AG-UI events: the agent's own, and the thread's commits, whoever made
// them.
//
// Invariants: RUN_STARTED is first, STATE_SNAPSHOT second, one terminal event last; a run that
// never began ends with RUN_ERROR alone; the agent waits for a reader that is behind; when the
// reader leaves, or is found at a heartbeat to have lost its rights, the agent's signal aborts and
// the run settles, even if the agent goes on.

import {
  type AGUIEvent,
  EventType,
  omitOptionalNulls,
  PROTOCOL_VERSION,
  type RunAgentInput,
  type RunFinishedEvent,
} from "@ag-ui/core";
import { type CommitEvents, commitsToEvents, expandChunks } from "@opstate/ag-ui";
import type { Actor, Thread } from "@opstate/core";
import { encodeEvent, type EventStream, type EventStreams, type StreamTarget } from "../http/event-stream.ts";
import type { Problem } from "../http/problem.ts";
import { stillAllowed } from "../http/recheck-access.ts";
import type { Agent, AgentEvent } from "./agent.ts";
import { decideProposals, UnclearAnswer } from "./decisions.ts";
import type { RunQueue } from "./run-queue.ts";
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
  /** Whether the actor may decide on proposals. */
  readonly mayApprove: boolean;
  /** Rejects with a Problem when the actor may not run here any more. */
  readonly check: () => Promise<void>;
}

/** Queues the run behind the thread's earlier ones and answers at once. */
export function serveRun(run: Run, target: StreamTarget, { streams, queue, closing, onError }: RunServices): Response {
  const aborter = new AbortController();
  const ask = stillAllowed({ check: run.check, onRefused: refuse, onError });
  const stream = streams.open(target, () => aborter.abort(), ask);

  /** As if the client had left, but that it is told why. */
  function refuse({ code, message }: Problem): void {
    if (!stream.hasRoom()) return stream.cut();
    sendEvent(stream, { type: EventType.RUN_ERROR, message, code });
    stream.end();
  }

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

async function play(run: Run, stream: EventStream, signal: AbortSignal): Promise<void> {
  const { agent, thread, actor } = run;
  const { threadId, runId } = run.input;
  sendEvent(stream, { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION });
  const state = commitsToEvents(thread, { runId, signal, limit: COMMITS_IN_WAIT });
  flush(state, stream);
  try {
    void sendState(state, stream);
    const { input, decisions } = await decideProposals(thread, run.input, run);
    const events = untilAborted(agent({ input, thread, actor, signal, decisions }), signal);
    const last = (await forward(toOneEnd(events, run.input), state, stream)) ?? finished(run.input);
    sendEvent(stream, last.type === EventType.RUN_FINISHED ? withQuestions(last, state) : last);
  } catch (error) {
    if (signal.aborted) return;
    // What was done before it failed is done.
    flush(state, stream);
    if (!(error instanceof UnclearAnswer)) throw error;
    sendEvent(stream, { type: EventType.RUN_ERROR, message: error.message, code: "unclear_answer" });
  } finally {
    state.close();
  }
}

/** Sends what happens in the thread as it happens, and no faster than it is read. */
async function sendState(state: CommitEvents, stream: EventStream): Promise<void> {
  while ((await state.ready()) && (await stream.room())) flush(state, stream);
}

function flush(state: CommitEvents, stream: EventStream): void {
  for (const event of state.take()) sendEvent(stream, event);
}

/** The agent's events up to its terminal one, which is RUN_FINISHED unless it says otherwise. */
async function* toOneEnd(events: AsyncIterable<AgentEvent>, input: RunAgentInput): AsyncGenerator<AGUIEvent, void> {
  for await (const given of events) {
    // What else is in an agent's event is its own affair; the client checks it.
    const event = omitOptionalNulls<unknown>(given, "Event") as AGUIEvent;
    if (event.type === EventType.RUN_FINISHED) return yield { ...event, ...finished(input) };
    yield event;
    if (event.type === EventType.RUN_ERROR) return;
  }
  yield finished(input);
}

function finished({ threadId, runId }: RunAgentInput): RunFinishedEvent {
  return { type: EventType.RUN_FINISHED, threadId, runId };
}

/**
 * Sends the agent's events, each behind the commits that were made before it, and returns the
 * terminal one. Chunks are made whole messages: what others do in the thread would end a row of
 * them in the middle.
 */
async function forward(
  events: AsyncIterable<AGUIEvent>,
  state: CommitEvents,
  stream: EventStream,
): Promise<AGUIEvent | undefined> {
  for await (const event of expandChunks(events)) {
    await stream.room();
    flush(state, stream);
    if (event.type === EventType.RUN_FINISHED || event.type === EventType.RUN_ERROR) return event;
    if (!reserved.has(event.type)) sendEvent(stream, event);
    await stream.room();
  }
  return undefined;
}

/**
 * The run waits for the proposals made in it, beside what the agent itself said that it waits for.
 */
function withQuestions(last: RunFinishedEvent, state: CommitEvents): RunFinishedEvent {
  const { outcome } = last;
  if (outcome !== undefined && outcome.type !== "success" && outcome.type !== "interrupt") return last;
  const asked = outcome?.type === "interrupt" ? outcome.interrupts : [];
  const known = new Set(asked.map(({ id }) => id));
  const more = state.interrupts().filter(({ id }) => !known.has(id));
  return more.length === 0 ? last : { ...last, outcome: { type: "interrupt", interrupts: [...asked, ...more] } };
}

/** The server's own: an agent written without types may send them nevertheless. */
const reserved = new Set<string>([EventType.RUN_STARTED, EventType.STATE_SNAPSHOT, EventType.STATE_DELTA]);

/** A reader that is further behind gets a snapshot instead. */
const COMMITS_IN_WAIT = 64;

function sendEvent(stream: EventStream, event: object): void {
  stream.send(encodeEvent({ data: event }));
}
