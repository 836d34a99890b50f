// Tool messages that wait for their verdict, and those that tell one which did not stand (of a
// subgraph that was not taken), rewritten from what the field recorded: same id, same call, same
// place.

import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { Outcome, Outcomes } from "../fields/outcomes.ts";
import type { FieldSnapshot } from "../fields/snapshot-field.ts";
import type { Keeper } from "./operation-tool.ts";
import { refusedSince } from "./refused-since.ts";
import { submissionOf } from "./submission-id.ts";
import { waitingIn } from "./submit-to-field.ts";
import { verdictText, type VerdictSummary } from "./verdict-text.ts";

/** The messages that changed; a message with a known id replaces its predecessor. */
export function fillInVerdicts(
  keeper: Keeper,
  { outcomes }: FieldSnapshot,
  messages: readonly BaseMessage[],
): ToolMessage[] {
  const settled: ToolMessage[] = [];
  const told: BaseMessage[] = [];
  for (const message of messages) {
    const waiting = ToolMessage.isInstance(message) ? waitingIn(message) : undefined;
    const isWaiting = waiting?.definition === keeper.definition.name && waiting.field === keeper.field;
    const undone = ToolMessage.isInstance(message) && !isWaiting ? undoneSince(outcomes, told, message) : undefined;
    if (!ToolMessage.isInstance(message) || (!isWaiting && undone === undefined)) {
      told.push(message);
      continue;
    }
    const outcome = undone ?? outcomeOf(outcomes, waiting?.submission);
    const result = answer(keeper, outcome, callOf(told, message), message, told);
    told.push(result);
    settled.push(result);
  }
  return settled;
}

/** The refusal that the field recorded of a call whose message tells that it was accepted. */
function undoneSince(
  outcomes: Outcomes,
  before: readonly BaseMessage[],
  { tool_call_id, artifact }: ToolMessage,
): Outcome | undefined {
  const told: unknown = artifact;
  if (typeof told !== "object" || told === null || !("accepted" in told) || told.accepted !== true) return undefined;
  const message = before.findLast(
    (earlier) => AIMessage.isInstance(earlier) && earlier.tool_calls?.some(({ id }) => id === tool_call_id),
  );
  const outcome = outcomeOf(outcomes, message?.id === undefined ? undefined : submissionOf(message.id, tool_call_id));
  return outcome?.accepted === false ? outcome : undefined;
}

function outcomeOf(outcomes: Outcomes, submission: string | undefined): Outcome | undefined {
  return submission !== undefined && Object.hasOwn(outcomes, submission) ? outcomes[submission] : undefined;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
}

/**
 * The message that tells a call its verdict. `before` are the messages so far: they say how often
 * the same was refused already.
 */
export function answer(
  called: { readonly name: string },
  outcome: VerdictSummary | undefined,
  call: Call,
  {
    id,
    tool_call_id,
    name,
  }: { readonly id?: string | undefined; readonly tool_call_id: string; readonly name?: string | undefined },
  before: readonly BaseMessage[],
): ToolMessage {
  const times = outcome === undefined || outcome.accepted ? 0 : 1 + refusedSince(before, call, outcome.rejection);
  const content =
    outcome === undefined
      ? `What became of this call was not recorded: look at the present state of ${called.name}.`
      : verdictText(called, outcome, times);
  return new ToolMessage({
    content,
    tool_call_id,
    artifact: outcome ?? null,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  });
}

function callOf(before: readonly BaseMessage[], { tool_call_id, name }: ToolMessage): Call {
  const asked = before.findLast(
    (message) => AIMessage.isInstance(message) && message.tool_calls?.some(({ id }) => id === tool_call_id),
  );
  const calls = AIMessage.isInstance(asked) ? (asked.tool_calls ?? []) : [];
  return calls.find(({ id }) => id === tool_call_id) ?? { name: name ?? "", args: undefined };
}
