// One run: the agent's own events and all commits of the thread, in one order.
//
// Invariants:
// - RUN_STARTED is first, STATE_SNAPSHOT second, one terminal event last.
// - What the page wrote into its state is decided before both the snapshot and the agent.
// - Its pages end with the thread's state, also when it predicted another one.
// - The agent waits while its output is not drained.
// - When the signal aborts, the run ends at once, even if the agent goes on.

import {
  type AGUIEvent,
  EventType,
  omitOptionalNulls,
  PROTOCOL_VERSION,
  type RunAgentInput,
  type RunFinishedEvent,
} from "@ag-ui/core";
import { type CommitEvents, commitsToEvents, expandChunks } from "@opstate/ag-ui";
import { type Actor, defined, type Thread } from "@opstate/core";
import { eachUntilAborted } from "@opstate/core/until-aborted";
import type { Observers } from "../observe/observers.ts";
import type { ThreadPresence } from "../threads/thread-presence.ts";
import type { ThreadRuns } from "../runs/thread-runs.ts";
import type { Agent, AgentEvent } from "./agent.ts";
import { decideProposals, UnclearAnswer } from "./decisions.ts";
import { writePageState } from "./page-state/write-page-state.ts";
import { Predicted } from "./predicted.ts";
import { showRun } from "./run-presence.ts";

/** Where the events of a run go. */
export interface RunOutput {
  send(event: object): void;
  /** Resolves to true when there is room for more, or to false when nothing more is accepted. */
  drained(): Promise<boolean>;
}

export interface ExecutedRun {
  /** The agent's name in the address. */
  readonly name: string;
  readonly agent: Agent;
  readonly input: RunAgentInput;
  /** The page's copy of the state. */
  readonly pageState: unknown;
  readonly thread: Thread;
  readonly threadRuns: ThreadRuns;
  readonly presence: ThreadPresence;
  readonly actor: Actor;
  /** Whether the actor may decide on proposals. */
  readonly mayApprove: boolean;
  /** The id of the stopped run that it continues. */
  readonly continues: string | undefined;
}

export async function executeRun(
  run: ExecutedRun,
  given: RunOutput,
  signal: AbortSignal,
  observers: Observers | undefined,
): Promise<void> {
  const predicted = new Predicted();
  const output: RunOutput = {
    send(event) {
      predicted.see(event);
      given.send(event);
    },
    drained: () => given.drained(),
  };
  const { name, agent, thread, presence, actor, continues } = run;
  const { threadId, runId } = run.input;
  const parent = defined({ parentRunId: continues });
  output.send({ type: EventType.RUN_STARTED, threadId, runId, ...parent, protocolVersion: PROTOCOL_VERSION });
  const written: AGUIEvent[] = [];
  try {
    for await (const event of eachUntilAborted(writePageState(run), signal)) written.push(event);
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  const state = commitsToEvents(thread, { runId, signal, limit: QUEUED_COMMITS_LIMIT });
  flush(state, output);
  for (const event of written) output.send(event);
  const hide = showRun({ thread, presence, agent: name, runId, sender: actor });
  try {
    void sendState(state, output);
    const { input, decisions } = await decideProposals(thread, run.input, run);
    const headers = observers?.outgoingHeaders() ?? {};
    const events = eachUntilAborted(
      agent({ input, thread, actor, signal, decisions, headers, ...defined({ continues }) }),
      signal,
    );
    const last = (await forward(untilTerminal(events, run.input), state, output, predicted)) ?? finished(run.input);
    output.send(last.type === EventType.RUN_FINISHED ? withInterrupts(last, state) : last);
  } catch (error) {
    if (signal.aborted) return;
    // The commits that were made before the failure stay.
    if (predicted.isShown) state.snapshot();
    flush(state, output);
    if (!(error instanceof UnclearAnswer)) throw error;
    output.send({ type: EventType.RUN_ERROR, message: error.message, code: "unclear_answer" });
  } finally {
    hide();
    state.close();
  }
}

/** Sends the thread's commits as they happen, as fast as they are read. */
async function sendState(state: CommitEvents, output: RunOutput): Promise<void> {
  while ((await state.ready()) && (await output.drained())) flush(state, output);
}

function flush(state: CommitEvents, output: RunOutput): void {
  for (const event of state.take()) output.send(event);
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
  output: RunOutput,
  predicted: Predicted,
): Promise<AGUIEvent | undefined> {
  for await (const event of expandChunks(events)) {
    await output.drained();
    flush(state, output);
    if (predicted.endsWith(event)) {
      state.snapshot();
      flush(state, output);
    }
    if (event.type === EventType.RUN_FINISHED || event.type === EventType.RUN_ERROR) return event;
    if (!SERVER_EVENTS.has(event.type)) output.send(event);
    await output.drained();
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
