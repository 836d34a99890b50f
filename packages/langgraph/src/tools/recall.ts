// What became of a call whose result got lost: chat messages in place of an answer to an approval,
// a handover beside other calls, or a run that was stopped leave calls without a tool message.
//
//   thread:  nothing under the call's id    -> not carried out
//            the operation                  -> its verdict
//            a proposal                     -> is open, or the verdict on it
//   field:   an outcome under the call's id -> its verdict, else not carried out
//
// - Nothing is carried out, and nothing is recorded.
// - Agents of a team share a conversation, so a call may be another one's: of another actor, whose
//   submission the history has, or on another state. Of the latter nothing is known here.

import {
  approvedBy,
  findProposalOutcome,
  isIdConflict,
  noResultHereText,
  notCarriedOutText,
  notRecordedText,
  openProposalText,
  submissionOf,
  summarize,
  verdictText,
} from "@opstate/agent";
import type { AnyDefinition, Thread, Verdict } from "@opstate/core";
import { needsApproval } from "../approval/approval-options.ts";
import { mayBeIncomplete } from "../fields/outcomes.ts";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { isInsideGraph } from "../thread/inside-graph.ts";
import { memoryOf } from "../thread/run-memory.ts";
import { resolveActor, resolveThread, runOf, type RunConfig } from "../thread/thread-source.ts";
import type { Recall, ToolSpec } from "./operation-tool.ts";
import { onceId } from "./submission-id.ts";
import type { FieldTarget } from "./submit-to-field.ts";
import { pendingArtifact, type ThreadTarget } from "./submit-to-thread.ts";

/** There is no such version. A submission that expects it is looked up, and never carried out. */
const NEVER = Number.MAX_SAFE_INTEGER;
/** The newest entries of the history in which a call of another actor is looked for. */
const SEARCHED_ENTRIES = 1_000;

type Answer = readonly [content: string, artifact: unknown];

export function recallFromThread<D extends AnyDefinition>(
  definition: D,
  spec: ToolSpec,
  target: ThreadTarget<D>,
): Recall {
  const name = target.middleware ?? definition.name;
  return async ({ message, id: callId, update }, { config, state: { messages, ...state } }) => {
    const thread: Thread = await resolveThread(target.thread, definition, config);
    const actor = resolveActor(target.actor, config, thread);
    const asks = needsApproval(definition, update.type, { ask: target.ask, actor, thread, config });
    const runId = runOf(config)?.runId ?? memoryOf(state, name)?.runId;
    const once = asks
      ? undefined
      : onceId(definition, update, { runId, config, messages, message, callId, updateOf: spec.update });
    const id = once?.id ?? submissionOf(message, callId);
    const verdict = await thread.submit(update, { actor, id, expectedVersion: NEVER });
    if (isUnknown(verdict))
      return (await answerOfOthers(thread, { name, id, type: update.type }, config)) ?? lostAnswer(name, config);
    if (!isIdConflict(verdict)) return verdictAnswer(name, verdict);
    return (await proposalAnswer(thread, name, id, update.type)) ?? [notRecordedText(name), null];
  };
}

export function recallFromField(definition: AnyDefinition, { field }: FieldTarget): Recall {
  const { name } = definition;
  return async ({ message, id: callId }, { config, state }) => {
    const snapshot = state[field];
    const outcomes = isFieldSnapshot(snapshot) ? snapshot.outcomes : {};
    const id = submissionOf(message, callId);
    const outcome = Object.hasOwn(outcomes, id) ? outcomes[id] : undefined;
    if (outcome !== undefined) return [verdictText({ name }, outcome, 1), outcome];
    return mayBeIncomplete(outcomes) ? [notRecordedText(name), null] : lostAnswer(name, config);
  };
}

/** No log and no field has anything of the call. */
function lostAnswer(name: string, config: RunConfig): Answer {
  return [isInsideGraph(config) ? noResultHereText(name) : notCarriedOutText(name), null];
}

/** What became of the call as another actor's. Undefined when the history has nothing of it. */
async function answerOfOthers(
  thread: Thread,
  { name, id, type }: { readonly name: string; readonly id: string; readonly type: string },
  config: RunConfig,
): Promise<Answer | undefined> {
  let read = 0;
  for await (const entry of thread.entries({ order: "descending", limit: SEARCHED_ENTRIES, rejections: true })) {
    read += 1;
    if (entry.kind === "refusal" && entry.refusal.id === id) {
      const { version, rejection } = entry.refusal;
      return verdictAnswer(name, { accepted: false, version, rejection, attempt: 1 });
    }
    if (entry.kind === "refusal" || entry.commit.id !== id) continue;
    const { commit } = entry;
    return (
      (await proposalAnswer(thread, name, id, type)) ??
      verdictAnswer(name, { accepted: true, version: commit.version, commit })
    );
  }
  const isAll = read < SEARCHED_ENTRIES && (thread.floor === 0 || !isInsideGraph(config));
  return isAll ? undefined : [notRecordedText(name), null];
}

/** Whether the log has nothing under the id of a submission that expects a version. */
function isUnknown(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.path === "/expectedVersion";
}

/** What became of a proposal, in words. Undefined when the log knows none with this id. */
export async function proposalAnswer(
  thread: Thread,
  name: string,
  id: string,
  type: string,
): Promise<Answer | undefined> {
  const outcome = await findProposalOutcome(thread, id, type);
  if (outcome === undefined) return undefined;
  if (outcome.isOpen) return [openProposalText(name, { id }), pendingArtifact(outcome.proposal)];
  // It was edited: what counts is the operation that took its place.
  const isEdited = outcome.decision?.id === `${id}/edit`;
  const edited = isEdited ? await proposalAnswer(thread, name, `${id}/edited`, type) : undefined;
  return edited ?? verdictAnswer(name, outcome.verdict);
}

function verdictAnswer(name: string, verdict: Verdict): Answer {
  const lines = [verdictText({ name }, summarize(verdict), 1), approvedBy(verdict)];
  return [lines.filter((line) => line !== "").join("\n"), verdict];
}
