// One run as a stream of AG-UI events: the agent's own events, and all commits of the thread.
//
// Invariants:
// - RUN_STARTED is first, STATE_SNAPSHOT second, one terminal event last.
// - A run that never began ends with RUN_ERROR alone.
// - The agent waits for a slow reader.
// - When the reader leaves, or turns out to have lost its rights, the agent's signal aborts and the
//   run ends, even if the agent goes on.

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
import type { RunQueue } from "@opstate/core/run-queue";
import { EventFrame } from "../http/event-frame.ts";
import type { EventStream, EventStreams, StreamTarget } from "../http/event-stream.ts";
import { Problem } from "../http/problem.ts";
import { isOrBranchOf, type LastingAccess, type Rechecks } from "../http/rechecks.ts";
import type { Frame } from "../http/sink.ts";
import type { Observation } from "../observe/observation.ts";
import type { OpenWork } from "../lifecycle/open-work.ts";
import type { ThreadPresence } from "../threads/thread-presence.ts";
import type { Agent, AgentEvent } from "./agent.ts";
import { decideProposals, UnclearAnswer } from "./decisions.ts";
import { observedRun } from "./observed-run.ts";
import { showRun } from "./run-presence.ts";
import { untilAborted } from "./until-aborted.ts";

export interface RunServices {
  readonly streams: EventStreams;
  readonly rechecks: Rechecks;
  readonly queue: RunQueue;
  /** Counts the runs that have not ended. */
  readonly runs: OpenWork;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly observation: Observation | undefined;
  readonly runBounds: RunLimits;
}

/** What runs may take. */
export interface RunLimits {
  /** Milliseconds from the start of a run to its end. */
  readonly timeout: number;
  /** Runs of one thread that have not ended: the one that runs, and those that wait. */
  readonly queue: number;
}

/** A timer's longest time: 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Run {
  /** The agent's name in the address. */
  readonly name: string;
  readonly agent: Agent;
  readonly input: RunAgentInput;
  readonly thread: Thread;
  readonly presence: ThreadPresence;
  /** Keeps the thread open until the returned function is called. */
  readonly hold: () => () => void;
  readonly actor: Actor;
  /** Whether the actor may decide on proposals. */
  readonly mayApprove: boolean;
  /** Its check rejects with a Problem when the actor may not run here any more. */
  readonly lasting: Pick<LastingAccess, "actor" | "expiresAt" | "since" | "check">;
}

/** Queues the run after the thread's earlier runs and responds at once. */
export function serveRun(run: Run, target: StreamTarget, services: RunServices): Response {
  const { streams, rechecks, queue, runs, runBounds, closing, onError, observation } = services;
  const { threadId } = run.thread;
  if (queue.length(threadId) >= runBounds.queue)
    throw new Problem(
      "too_many_runs",
      `${runBounds.queue} runs wait on thread "${threadId}". Try again when some have ended.`,
    );
  const aborter = new AbortController();
  const shows = (shown: string) => isOrBranchOf(run.thread, shown);
  const recheck = rechecks.begin({ ...run.lasting, shows, onRefused: refuse, onError });
  const stream = streams.open(target, {
    onClose() {
      recheck.close();
      aborter.abort();
    },
  });

  /** Ends the run as if the client had left, and tells the client why. */
  function refuse({ code, message }: Problem): void {
    stream.endWith(frameOf({ type: EventType.RUN_ERROR, message, code }));
  }

  function close(): void {
    sendEvent(stream, { type: EventType.RUN_ERROR, message: "The server is closing.", code: "closing" });
    stream.end();
  }

  /** The thread is free for the next run, even if the agent goes on. */
  function timeOut(): void {
    const message = `The run was ended: it took longer than ${Math.round(runBounds.timeout / 1000)} seconds.`;
    stream.endWith(frameOf({ type: EventType.RUN_ERROR, message, code: "run_timeout" }));
  }

  async function execute(): Promise<void> {
    const timer = setTimeout(timeOut, Math.min(runBounds.timeout, LONGEST_TIMER));
    timer.unref();
    try {
      await executeRun(run, stream, aborter.signal, observation);
    } finally {
      clearTimeout(timer);
    }
  }

  async function runInQueue(): Promise<void> {
    const release = run.hold();
    const queuedAt = performance.now();
    try {
      await queue.run(threadId, async () => {
        if (!aborter.signal.aborted) await observedRun(observation, run, queuedAt, aborter.signal, execute);
      });
    } catch (error) {
      onError(error);
      // Only the application gets the error itself.
      sendEvent(stream, { type: EventType.RUN_ERROR, message: "The agent failed.", code: "agent_failed" });
    }
    release();
    closing.removeEventListener("abort", close);
    stream.end();
  }

  closing.addEventListener("abort", close);
  void runs.during(runInQueue);
  return stream.response;
}

async function executeRun(
  run: Run,
  stream: EventStream,
  signal: AbortSignal,
  observation: Observation | undefined,
): Promise<void> {
  const { name, agent, thread, presence, actor } = run;
  const { threadId, runId } = run.input;
  sendEvent(stream, { type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION });
  const state = commitsToEvents(thread, { runId, signal, limit: QUEUED_COMMITS_LIMIT });
  flush(state, stream);
  const hide = showRun({ thread, presence, agent: name, runId, sender: actor });
  try {
    void sendState(state, stream);
    const { input, decisions } = await decideProposals(thread, run.input, run);
    const headers = observation?.outgoingHeaders() ?? {};
    const events = untilAborted(agent({ input, thread, actor, signal, decisions, headers }), signal);
    const last = (await forward(untilTerminal(events, run.input), state, stream)) ?? finished(run.input);
    sendEvent(stream, last.type === EventType.RUN_FINISHED ? withInterrupts(last, state) : last);
  } catch (error) {
    if (signal.aborted) return;
    // The commits that were made before the failure stand.
    flush(state, stream);
    if (!(error instanceof UnclearAnswer)) throw error;
    sendEvent(stream, { type: EventType.RUN_ERROR, message: error.message, code: "unclear_answer" });
  } finally {
    hide();
    state.close();
  }
}

/** Sends the thread's commits as they happen, at the reader's speed. */
async function sendState(state: CommitEvents, stream: EventStream): Promise<void> {
  while ((await state.ready()) && (await stream.drained())) flush(state, stream);
}

function flush(state: CommitEvents, stream: EventStream): void {
  for (const event of state.take()) sendEvent(stream, event);
}

/** The agent's events up to its terminal event, which is RUN_FINISHED when the agent sends none. */
async function* untilTerminal(
  events: AsyncIterable<AgentEvent>,
  input: RunAgentInput,
): AsyncGenerator<AGUIEvent, void> {
  for await (const given of events) {
    // The other members of an agent's event are not checked here; the client checks them.
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
 * Sends the agent's events, each after the commits that were made before it, and returns the
 * terminal event. Chunks are expanded to whole messages, because a commit between two chunks would
 * end their sequence.
 */
async function forward(
  events: AsyncIterable<AGUIEvent>,
  state: CommitEvents,
  stream: EventStream,
): Promise<AGUIEvent | undefined> {
  for await (const event of expandChunks(events)) {
    await stream.drained();
    flush(state, stream);
    if (event.type === EventType.RUN_FINISHED || event.type === EventType.RUN_ERROR) return event;
    if (!SERVER_EVENTS.has(event.type)) sendEvent(stream, event);
    await stream.drained();
  }
  return undefined;
}

/** Adds the proposals made in this run to the interrupts that the agent itself gave. */
function withInterrupts(last: RunFinishedEvent, state: CommitEvents): RunFinishedEvent {
  const { outcome } = last;
  if (outcome !== undefined && outcome.type !== "success" && outcome.type !== "interrupt") return last;
  const given = outcome?.type === "interrupt" ? outcome.interrupts : [];
  const givenIds = new Set(given.map(({ id }) => id));
  const added = state.interrupts().filter(({ id }) => !givenIds.has(id));
  return added.length === 0 ? last : { ...last, outcome: { type: "interrupt", interrupts: [...given, ...added] } };
}

/**
 * Only the server sends these. An agent without types may send them all the same; they are dropped.
 */
const SERVER_EVENTS = new Set<string>([EventType.RUN_STARTED, EventType.STATE_SNAPSHOT, EventType.STATE_DELTA]);

/** How many commits may queue for a reader. One that is further behind gets a snapshot instead. */
const QUEUED_COMMITS_LIMIT = 64;

function sendEvent(stream: EventStream, event: object): void {
  stream.send(frameOf(event));
}

function frameOf(event: object): Frame {
  return new EventFrame("", event).bytes;
}
