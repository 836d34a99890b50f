// The rules of order of protocol 1.0: an event and the state give the next state, or a sentence
// that says what is wrong.

import { EventType, type AGUIEvent, type Message, type ToolCallStartEvent } from "@ag-ui/core";
import {
  withoutOpen,
  INITIAL_VERIFY_STATE,
  withOpen,
  withOwners,
  type OpenKind,
  type OwnedKind,
  type VerifyState,
} from "./verify-state.ts";

type OrderResult = VerifyState | string;

export function checkOrder(state: VerifyState, event: AGUIEvent): OrderResult {
  return phaseProblem(state, event.type) ?? checkInRun(state, event);
}

/** The rules about the run as a whole. */
function phaseProblem({ phase }: VerifyState, type: EventType): string | undefined {
  const starts = type === EventType.RUN_STARTED;
  if (phase === "failed" && !starts) return `${type}: the run has ended with RUN_ERROR; only RUN_STARTED may follow`;
  if (phase === "finished" && !starts && type !== EventType.RUN_ERROR)
    return `${type}: the run has finished; only RUN_STARTED or RUN_ERROR may follow`;
  if (phase === "before" && !starts && type !== EventType.RUN_ERROR)
    return `${type}: the first event must be RUN_STARTED or RUN_ERROR`;
  return phase === "running" && starts ? "RUN_STARTED: the run before it is still open" : undefined;
}

function checkInRun(state: VerifyState, event: AGUIEvent): OrderResult {
  switch (event.type) {
    case EventType.RUN_STARTED:
      return addOwners({ ...INITIAL_VERIFY_STATE, phase: "running" }, event.input?.messages ?? [], false);
    case EventType.RUN_FINISHED:
      return finish(state);
    case EventType.RUN_ERROR:
      return { ...state, phase: "failed" };
    case EventType.MESSAGES_SNAPSHOT:
      return addOwners(state, event.messages, true);
    case EventType.TEXT_MESSAGE_START:
      return open(state, event.type, "text message", "message", event.messageId, event.subagentRunId);
    case EventType.TEXT_MESSAGE_CONTENT:
      return proceed(state, event.type, "text message", "message", event.messageId, event.subagentRunId);
    case EventType.TEXT_MESSAGE_END:
      return close(state, event.type, "text message", "message", event.messageId, event.subagentRunId);
    case EventType.TOOL_CALL_START:
      return openCall(state, event);
    case EventType.TOOL_CALL_ARGS:
      return proceed(state, event.type, "tool call", "tool call", event.toolCallId, event.subagentRunId);
    case EventType.TOOL_CALL_END:
      return close(state, event.type, "tool call", "tool call", event.toolCallId, event.subagentRunId);
    case EventType.TOOL_CALL_RESULT:
      // It creates a message. Its owner is the one that ran the tool; the newest result counts.
      return withOwners(state, "message", [[event.messageId, event.subagentRunId]]);
    case EventType.REASONING_START:
      return open(state, event.type, "reasoning span", "reasoning message", event.messageId, event.subagentRunId);
    case EventType.REASONING_END:
      return close(state, event.type, "reasoning span", "reasoning message", event.messageId, event.subagentRunId);
    case EventType.REASONING_MESSAGE_START:
      return open(state, event.type, "reasoning message", "reasoning message", event.messageId, event.subagentRunId);
    case EventType.REASONING_MESSAGE_CONTENT:
      return proceed(state, event.type, "reasoning message", "reasoning message", event.messageId, event.subagentRunId);
    case EventType.REASONING_MESSAGE_END:
      return close(state, event.type, "reasoning message", "reasoning message", event.messageId, event.subagentRunId);
    case EventType.REASONING_ENCRYPTED_VALUE: {
      const { entityId, subtype } = event;
      // A message of either kind may carry one.
      const message = state.owners.message.has(entityId) ? "message" : "reasoning message";
      return (
        ownerProblem(
          state,
          event.type,
          subtype === "tool-call" ? "tool call" : message,
          entityId,
          event.subagentRunId,
        ) ?? state
      );
    }
    case EventType.ACTIVITY_SNAPSHOT:
      // Without `replace`, an existing activity and its owner stay.
      if (event.replace === false && state.owners.activity.has(event.messageId)) return state;
      return withOwners(state, "activity", [[event.messageId, event.subagentRunId]]);
    case EventType.ACTIVITY_DELTA:
      return ownerProblem(state, event.type, "activity", event.messageId, event.subagentRunId) ?? state;
    case EventType.STEP_STARTED:
      return startStep(state, event.stepName, event.subagentRunId);
    case EventType.STEP_FINISHED:
      return finishStep(state, event.stepName, event.subagentRunId);
    case EventType.SUBAGENT_STARTED:
      return startSubagent(state, event.subagentRunId, event.parentSubagentRunId);
    case EventType.SUBAGENT_FINISHED:
    case EventType.SUBAGENT_ERROR:
      return endSubagent(state, event.type, event.subagentRunId);
    default:
      return state;
  }
}

function open(
  state: VerifyState,
  type: EventType,
  kind: OpenKind,
  owner: OwnedKind,
  id: string,
  tag: string | undefined,
): OrderResult {
  if (state.open[kind].has(id)) return `${type}: ${kind} "${id}" is open already; end it first`;
  const problem = ownerProblem(state, type, owner, id, tag);
  if (problem !== undefined) return problem;
  const next = withOpen(state, kind, id);
  // The first START decides the owner, also after an END: an untagged START does not change it.
  return state.owners[owner].has(id) ? next : withOwners(next, owner, [[id, tag]]);
}

function proceed(
  state: VerifyState,
  type: EventType,
  kind: OpenKind,
  owner: OwnedKind,
  id: string,
  tag: string | undefined,
): OrderResult {
  if (!state.open[kind].has(id)) return `${type}: no open ${kind} "${id}"; start it first`;
  return ownerProblem(state, type, owner, id, tag) ?? state;
}

function close(
  state: VerifyState,
  type: EventType,
  kind: OpenKind,
  owner: OwnedKind,
  id: string,
  tag: string | undefined,
): OrderResult {
  const next = proceed(state, type, kind, owner, id, tag);
  return typeof next === "string" ? next : withoutOpen(next, kind, id);
}

/** A tool call has the owner of the message that carries it. */
function openCall(state: VerifyState, event: ToolCallStartEvent): OrderResult {
  const { type, toolCallId, parentMessageId, subagentRunId } = event;
  const parent =
    parentMessageId !== undefined && state.owners.message.has(parentMessageId) ? parentMessageId : undefined;
  const inherited = parent === undefined ? undefined : state.owners.message.get(parent);
  if (!state.open["tool call"].has(toolCallId) && parent !== undefined) {
    const problem = ownerProblem(state, type, "message", parent, subagentRunId);
    if (problem !== undefined) return problem;
    const calls = state.owners["tool call"];
    if (subagentRunId === undefined && calls.has(toolCallId) && calls.get(toolCallId) !== inherited)
      return `${type}: tool call "${toolCallId}" belongs to ${ownerName(calls.get(toolCallId))}, its message "${parent}" to ${ownerName(inherited)}`;
  }
  const next = open(state, type, "tool call", "tool call", toolCallId, subagentRunId);
  if (typeof next === "string" || subagentRunId !== undefined || state.owners["tool call"].has(toolCallId)) return next;
  return withOwners(next, "tool call", [[toolCallId, inherited]]);
}

function startStep(state: VerifyState, name: string, owner: string | undefined): OrderResult {
  if (state.steps.some((step) => step.name === name && step.owner === owner))
    return `STEP_STARTED: step "${name}" of ${ownerName(owner)} is open already`;
  return { ...state, steps: [...state.steps, { name, owner }] };
}

function finishStep(state: VerifyState, name: string, owner: string | undefined): OrderResult {
  const same = state.steps.filter((step) => step.name === name);
  const step = same.find((candidate) => candidate.owner === owner);
  if (step !== undefined) return { ...state, steps: state.steps.filter((other) => other !== step) };
  const other = same[0];
  return other === undefined
    ? `STEP_FINISHED: step "${name}" was not started`
    : `STEP_FINISHED: step "${name}" was started by ${ownerName(other.owner)}, not by ${ownerName(owner)}`;
}

function startSubagent(state: VerifyState, id: string, parent: string | undefined): OrderResult {
  const { active, closed: ended } = state.subagents;
  if (active.has(id)) return `SUBAGENT_STARTED: subagent "${id}" is active already`;
  if (ended.has(id))
    return `SUBAGENT_STARTED: subagent "${id}" has ended in this run; another invocation needs another id`;
  if (parent !== undefined && !active.has(parent) && !ended.has(parent))
    return `SUBAGENT_STARTED: parent subagent "${parent}" was not started in this run`;
  return { ...state, subagents: { active: active.set(id, true), closed: ended } };
}

function endSubagent(state: VerifyState, type: EventType, id: string): OrderResult {
  const { active, closed: ended } = state.subagents;
  if (!active.has(id)) return `${type}: no active subagent "${id}"; start it first`;
  return { ...state, subagents: { active: active.delete(id), closed: ended.set(id, true) } };
}

function finish(state: VerifyState): OrderResult {
  const left = [
    ...state.steps.map((step) => `step "${step.name}"`),
    ...Object.entries(state.open).flatMap(([kind, ids]) => ids.keys().map((id) => `${kind} "${id}"`)),
    ...state.subagents.active.keys().map((id) => `subagent "${id}"`),
  ];
  if (left.length > 0)
    return `RUN_FINISHED: still open: ${left.slice(0, 10).join(", ")}${left.length > 10 ? ", ..." : ""}`;
  return { ...state, phase: "finished" };
}

/**
 * Adds the owners of messages that a stream restates. Those of a snapshot replace the known ones,
 * those of a run's input do not.
 */
function addOwners(state: VerifyState, messages: readonly Message[], replaces: boolean): VerifyState {
  const entries: Record<OwnedKind, (readonly [string, string | undefined])[]> = {
    message: [],
    "tool call": [],
    activity: [],
    "reasoning message": [],
  };
  for (const message of messages) {
    const kind =
      message.role === "reasoning" ? "reasoning message" : message.role === "activity" ? "activity" : "message";
    entries[kind].push([message.id, message.subagentRunId]);
    for (const call of ("toolCalls" in message && message.toolCalls) || [])
      entries["tool call"].push([call.id, message.subagentRunId]);
  }
  let next = state;
  for (const kind of ["message", "tool call", "activity", "reasoning message"] as const) {
    // Without replacement, the first message with an id counts.
    const added = replaces ? entries[kind] : entries[kind].toReversed().filter(([id]) => !state.owners[kind].has(id));
    if (added.length > 0) next = withOwners(next, kind, added);
  }
  return next;
}

/**
 * What is wrong when the event of one subagent continues what another owns. An untagged event may
 * continue anything.
 */
function ownerProblem(
  state: VerifyState,
  type: EventType,
  kind: OwnedKind,
  id: string,
  tag: string | undefined,
): string | undefined {
  const owners = state.owners[kind];
  if (tag === undefined || !owners.has(id) || owners.get(id) === tag) return undefined;
  return `${type}: ${kind} "${id}" belongs to ${ownerName(owners.get(id))}, not to ${ownerName(tag)}`;
}

function ownerName(owner: string | undefined): string {
  return owner === undefined ? "the agent itself" : `subagent "${owner}"`;
}
