// What became of a call whose result got lost: chat messages in place of an answer to an approval,
// a handover beside other calls, or a run that was stopped leave calls without a tool message.
//
//   thread:  nothing under the call's id    -> not carried out
//            the operation                  -> its verdict
//            a proposal                     -> waits for approval, or the verdict on it
//   field:   an outcome under the call's id -> its verdict, else not carried out
//
// Invariant: nothing is carried out, and nothing is recorded.

import {
  findProposalOutcome,
  notCarriedOutText,
  notRecordedText,
  openProposalText,
  submissionOf,
  summarize,
  verdictText,
} from "@opstate/agent";
import type { AnyDefinition, Thread, Verdict } from "@opstate/core";
import { approvedBy } from "../approval/carry-out.ts";
import { mayBeIncomplete } from "../fields/outcomes.ts";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { resolveActor, resolveThread } from "../thread/thread-source.ts";
import type { Recall } from "./operation-tool.ts";
import type { FieldTarget } from "./submit-to-field.ts";
import { isIdConflict, pendingArtifact, type ThreadTarget } from "./submit-to-thread.ts";

/** There is no such version. A submission that expects it is looked up, and never carried out. */
const NEVER = Number.MAX_SAFE_INTEGER;

type Answer = readonly [content: string, artifact: unknown];

export function recallFromThread<D extends AnyDefinition>(definition: D, target: ThreadTarget<D>): Recall {
  const name = target.middleware ?? definition.name;
  return async ({ message, id: callId, update }, { config }) => {
    const thread: Thread = await resolveThread(target.thread, definition, config);
    const id = submissionOf(message, callId);
    const actor = resolveActor(target.actor, config, thread);
    const verdict = await thread.submit(update, { actor, id, expectedVersion: NEVER });
    if (isUnknown(verdict)) return [notCarriedOutText(name), null];
    if (!isIdConflict(verdict)) return verdictAnswer(name, verdict);
    return (await proposalAnswer(thread, name, id, update.type)) ?? [notRecordedText(name), null];
  };
}

export function recallFromField(definition: AnyDefinition, { field }: FieldTarget): Recall {
  const { name } = definition;
  return async ({ message, id: callId }, { state }) => {
    const snapshot = state[field];
    const outcomes = isFieldSnapshot(snapshot) ? snapshot.outcomes : {};
    const id = submissionOf(message, callId);
    const outcome = Object.hasOwn(outcomes, id) ? outcomes[id] : undefined;
    if (outcome !== undefined) return [verdictText({ name }, outcome, 1), outcome];
    return [mayBeIncomplete(outcomes) ? notRecordedText(name) : notCarriedOutText(name), null];
  };
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
  if (outcome.isOpen) {
    const open = (await thread.proposals()).find((proposal) => proposal.id === id);
    return [openProposalText(name, { id }), open === undefined ? null : pendingArtifact(open)];
  }
  // It was edited: what counts is the operation that took its place.
  const isEdited = outcome.decision?.id === `${id}/edit`;
  const edited = isEdited ? await proposalAnswer(thread, name, `${id}/edited`, type) : undefined;
  return edited ?? verdictAnswer(name, outcome.verdict);
}

function verdictAnswer(name: string, verdict: Verdict): Answer {
  const lines = [verdictText({ name }, summarize(verdict), 1), approvedBy(verdict)];
  return [lines.filter((line) => line !== "").join("\n"), verdict];
}
