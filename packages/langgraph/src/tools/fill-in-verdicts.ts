// Rewrites tool messages from what the field recorded: those that wait for their verdict, and those
// of a subgraph whose verdict changed when the field folded it. Id, call and place stay.
//
//   step: model calls add, move          field folds both            before the next model call
//   +----------------------------+      +---------------------+      +--------------------------+
//   | ToolMessage add   (waits)  | ---> | outcomes[m1/call-1] | ---> | ToolMessage add  Accepted |
//   | ToolMessage move  (waits)  |      | outcomes[m1/call-2] |      | ToolMessage move Refused  |
//   +----------------------------+      +---------------------+      +--------------------------+

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { notRecordedText, submissionOf, type VerdictSummary, verdictText } from "@opstate/agent";
import { defined } from "@opstate/core";
import { isOutcome, isSameVerdict, type Outcome, type Outcomes } from "../fields/outcomes.ts";
import type { FieldSnapshot } from "../fields/snapshot-field.ts";
import type { ManagedState } from "./operation-tool.ts";
import { countRefusals } from "./count-refusals.ts";
import { pendingVerdictOf } from "./submit-to-field.ts";

/** The messages that changed. In the graph a message with a known id replaces the earlier one. */
export function fillInVerdicts(
  managed: ManagedState,
  { outcomes }: FieldSnapshot,
  messages: readonly BaseMessage[],
): ToolMessage[] {
  const rewritten: ToolMessage[] = [];
  /** The messages so far, as the model will read them. */
  const before: BaseMessage[] = [];
  for (const message of messages) {
    const pending = ToolMessage.isInstance(message) ? pendingVerdictOf(message) : undefined;
    const isPending = pending?.definition === managed.definition.name && pending.field === managed.field;
    const changed =
      ToolMessage.isInstance(message) && !isPending ? changedVerdict(outcomes, before, message) : undefined;
    if (!ToolMessage.isInstance(message) || (!isPending && changed === undefined)) {
      before.push(message);
      continue;
    }
    const outcome = changed ?? outcomeOf(outcomes, pending?.submission);
    const result = verdictMessage(managed, outcome, callOf(before, message), message, before);
    before.push(result);
    rewritten.push(result);
  }
  return rewritten;
}

/** The verdict that the field recorded for a call whose message says something else. */
function changedVerdict(
  outcomes: Outcomes,
  before: readonly BaseMessage[],
  { tool_call_id, artifact }: ToolMessage,
): Outcome | undefined {
  const said: unknown = artifact;
  if (!isOutcome(said)) return undefined;
  const message = before.findLast(
    (earlier) => AIMessage.isInstance(earlier) && earlier.tool_calls?.some(({ id }) => id === tool_call_id),
  );
  const outcome = outcomeOf(outcomes, message?.id === undefined ? undefined : submissionOf(message.id, tool_call_id));
  return outcome === undefined || isSameVerdict(outcome, said) ? undefined : outcome;
}

function outcomeOf(outcomes: Outcomes, submission: string | undefined): Outcome | undefined {
  return submission !== undefined && Object.hasOwn(outcomes, submission) ? outcomes[submission] : undefined;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/**
 * The message with a call's verdict. `before` are the messages so far: they show how often the call
 * was refused already.
 */
export function verdictMessage(
  state: { readonly name: string },
  outcome: VerdictSummary | undefined,
  call: Call,
  {
    id,
    tool_call_id,
    name,
  }: { readonly id?: string | undefined; readonly tool_call_id: string; readonly name?: string | undefined },
  before: readonly BaseMessage[],
): ToolMessage {
  const times = outcome === undefined || outcome.accepted ? 0 : 1 + countRefusals(before, call, outcome.rejection);
  const content = outcome === undefined ? notRecordedText(state.name) : verdictText(state, outcome, times);
  return new ToolMessage({ content, tool_call_id, artifact: outcome ?? null, ...defined({ id, name }) });
}

function callOf(before: readonly BaseMessage[], { tool_call_id, name }: ToolMessage): Call {
  const message = before.findLast(
    (earlier) => AIMessage.isInstance(earlier) && earlier.tool_calls?.some(({ id }) => id === tool_call_id),
  );
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls.find(({ id }) => id === tool_call_id) ?? { name: name ?? "", args: undefined };
}
