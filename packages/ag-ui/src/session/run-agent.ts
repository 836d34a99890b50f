// The runs after a message: the agent runs, and runs again as long as it calls frontend tools.
//
// Invariants:
// - Every run that began has an end in the state, whatever the stream does.
// - After an abort, nothing more is sent.

import { EventType, PROTOCOL_VERSION, type ResumeEntry, type RunAgentInput } from "@ag-ui/core";
import { defined } from "@opstate/core";
import { eachUntilAborted } from "@opstate/core/until-aborted";
import type { ChatError, ChatState } from "../state/chat-state.ts";
import { toAgUiMessages } from "../reducer/to-ag-ui-messages.ts";
import { type AgentTransport, AgentTransportError } from "./agent-transport.ts";
import { createEventGate } from "../stages/event-gate.ts";
import { answerCall, toolsForAgent, unansweredCalls } from "./frontend-tools.ts";
import type { RecordingEntry } from "./recording.ts";
import type { RunOptions } from "./session-options.ts";

/** An entry without its time. */
export type NewEntry = Undated<RecordingEntry>;
type Undated<Entry> = Entry extends unknown ? Omit<Entry, "at"> : never;

/** What a run needs of its session. */
export interface RunHost {
  readonly threadId: string;
  readonly transport: AgentTransport;
  readonly options: RunOptions;
  readonly mintId: () => string;
  readonly getState: () => ChatState;
  readonly add: (entry: NewEntry) => void;
  /** A run is about to be requested. */
  readonly onBegin: (runId: string) => void;
  /** It goes on without this reader. */
  readonly onDetached: () => void;
  readonly onEnd: () => void;
}

/**
 * How the first run begins: with a new request, as one that goes on with a stopped run, or as one
 * that was under way.
 */
export type FirstRun =
  | { readonly resume?: ResumeEntry[] | undefined; readonly continues?: string | undefined }
  | { readonly rejoin: string };

/** Never rejects: errors are in the state. */
export async function runAgent(host: RunHost, first: FirstRun, signal: AbortSignal): Promise<void> {
  const { tools = {}, maxToolRounds = 25 } = host.options;
  let runId = firstId(host, first);
  await runOnce(host, runId, first, signal);
  for (
    let round = 1;
    !signal.aborted && host.getState().phase === "idle" && host.getState().run?.outcome === "success";
    round += 1
  ) {
    const calls = unansweredCalls(host.getState(), tools);
    if (calls.length === 0) return;
    if (round > maxToolRounds) {
      const message = `The agent called tools ${maxToolRounds} times in a row.`;
      return host.add({ end: { kind: "protocol", code: "too_many_tool_rounds", message } });
    }
    host.add({ send: [] });
    await Promise.all(
      calls.map(async (call) => {
        host.add({
          event: await answerCall(tools, call, host.mintId(), { toolCallId: call.id, signal, state: host.getState() }),
        });
      }),
    );
    // Where a run goes on without its window, another window may be here too: the server starts
    // only one of the same id.
    runId = host.transport.runs === undefined ? host.mintId() : followingId(runId);
    await runOnce(host, runId, {}, signal);
  }
}

/** Two windows that go on with one run request the same one. */
function firstId({ mintId }: RunHost, first: FirstRun): string {
  if ("rejoin" in first) return first.rejoin;
  return first.continues === undefined ? mintId() : followingId(first.continues);
}

/** "abc" to "abc.2", "abc.2" to "abc.3". */
function followingId(runId: string): string {
  const [, first = runId, round = "1"] = /^(.*)\.(\d+)$/.exec(runId) ?? [];
  return `${first}.${Number(round) + 1}`;
}

async function runOnce(host: RunHost, runId: string, first: FirstRun, signal: AbortSignal): Promise<void> {
  const { threadId, getState, add } = host;
  const stream = new AbortController();
  const stop = () => stream.abort();
  signal.addEventListener("abort", stop);
  let ended = false;
  try {
    signal.throwIfAborted();
    const gate = createEventGate();
    host.onBegin(runId);
    // A transport that is not a generator may throw when it is called.
    const events = open(host, runId, first, stream.signal);
    for await (const given of eachUntilAborted(events, stream.signal)) {
      for (const event of gate.pass(given)) {
        add({ event });
        ended = endsRun(event) || (ended && !startsRun(event));
      }
      if (brokeProtocol(getState())) return;
    }
    if (!ended) add({ end: { kind: "truncated", message: "The stream ended before the run did." } });
  } catch (error) {
    if (!signal.aborted) add({ end: transportError(error) });
    // A run that had ended already is not cancelled.
    else if (!ended) add({ event: { type: EventType.RUN_FINISHED, threadId, runId, outcome: { type: "cancelled" } } });
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
    host.onEnd();
  }
}

function open(host: RunHost, runId: string, first: FirstRun, signal: AbortSignal): AsyncIterable<unknown> {
  const { threadId, transport, onDetached } = host;
  if (!("rejoin" in first)) {
    const { resume, continues } = first;
    const input = { ...inputOf(host, runId, resume), ...defined({ parentRunId: continues }) };
    return transport(input, { signal, onDetached, ...defined({ continues }) });
  }
  if (transport.runs === undefined) throw new Error("The transport cannot read a run that was under way.");
  onDetached();
  return transport.runs.read({ threadId, runId }, { signal });
}

/**
 * Whether the rest of the stream cannot be trusted. After an agent's own RUN_ERROR it can: another
 * run may follow.
 */
function brokeProtocol({ phase, error }: ChatState): boolean {
  return phase === "error" && (error?.kind === "malformed" || error?.kind === "protocol");
}

function inputOf(
  { threadId, options, getState }: RunHost,
  runId: string,
  resume: ResumeEntry[] | undefined,
): RunAgentInput {
  const { tools = {}, context = [], forwardedProps, sendState = true } = options;
  const { state, conflicts } = getState();
  return {
    threadId,
    runId,
    protocolVersion: PROTOCOL_VERSION,
    // Activities are for people. The protocol's own client leaves them out too.
    messages: toAgUiMessages(getState()).filter(({ role }) => role !== "activity"),
    tools: toolsForAgent(tools),
    context: [...(typeof context === "function" ? context() : context)],
    ...defined({ state: sendState && conflicts.length === 0 ? state : undefined, forwardedProps, resume }),
  };
}

function endsRun(event: unknown): boolean {
  return typeOf(event) === EventType.RUN_FINISHED || typeOf(event) === EventType.RUN_ERROR;
}

function startsRun(event: unknown): boolean {
  return typeOf(event) === EventType.RUN_STARTED;
}

function typeOf(event: unknown): unknown {
  return typeof event === "object" && event !== null && "type" in event ? event.type : undefined;
}

function transportError(error: unknown): ChatError {
  const message = error instanceof Error ? error.message : String(error);
  return {
    kind: "transport",
    message,
    ...defined({ code: error instanceof AgentTransportError ? error.code : undefined }),
  };
}
