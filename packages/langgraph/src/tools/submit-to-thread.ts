// A tool call as a submission to a thread. The tool awaits the thread's verdict. A call that needs
// approval is proposed first.

import { shortId, summarize, truncatedJson, verdictText } from "@opstate/agent";
import { defined, type AnyDefinition, type Commit, type Thread, type Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import { isOnlyCall } from "../approval/only-call.ts";
import { approvalOf, approverOf, needsApproval, type ApprovalOptions } from "../approval/approval-options.ts";
import { askFirst } from "../approval/ask-first.ts";
import { approvedBy, type CallResult } from "../approval/carry-out.ts";
import { requireCheckpointer } from "../approval/checkpointer.ts";
import { memoryOf } from "../thread/run-memory.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import type { Submit } from "./operation-tool.ts";
import { countRefusals } from "./count-refusals.ts";
import { submissionId, taskInput } from "./submission-id.ts";
import { streamVerdict } from "./stream-verdict.ts";

/** A larger commit is not stored with the message: the thread has it. */
const MAX_ARTIFACT_CHARACTERS = 16_384;
const MAX_EDIT_CHARACTERS = 400;

export interface ThreadTarget<D extends AnyDefinition> extends ApprovalOptions {
  readonly thread: ThreadSource<D>;
  readonly actor?: ActorSource;
  /**
   * The `name` of the `opstateMiddleware` of this thread, if it has one: an agent may have several
   * of one definition.
   */
  readonly middleware?: string;
}

/** The artifact of a tool message whose call waits for approval. */
interface PendingApproval {
  readonly type: "opstate.proposed";
  readonly proposal: string;
  readonly proposedAt: number;
}

export function submitToThread<D extends AnyDefinition>(definition: D, target: ThreadTarget<D>): Submit {
  const state = { name: target.middleware ?? definition.name };
  return async ({ name, args, update, nth }, config) => {
    const thread: Thread = await resolveThread(target.thread, definition, config);
    config.signal?.throwIfAborted();
    const toolCallId = config.toolCall?.id;
    const id = submissionId(config, toolCallId, nth);
    const input = taskInput(config);
    const memory = memoryOf(input, state.name);
    const runId = runOf(config)?.runId ?? memory?.runId;
    const seen = memory?.observation;
    const actor = resolveActor(target.actor, config);
    const options: DispatchOptions = defined({
      actor,
      id,
      runId: runId === undefined ? undefined : shortId(runId),
      toolCallId: toolCallId === undefined ? undefined : shortId(toolCallId),
      // The model chose what to change in the state that it was shown.
      basedOn: seen?.threadId === thread.threadId && seen.to <= thread.version ? seen.to : undefined,
    });
    const onVerdict = (verdict: Verdict) => streamVerdict(config.writer, thread.threadId, update, options, verdict);

    async function submit(): Promise<CallResult> {
      const verdict = await thread.submit(update, options);
      if (!isIdConflict(verdict)) onVerdict(verdict);
      return { verdict };
    }

    const interrupts = approvalOf(target, config) === "interrupt" && isOnlyCall(input, toolCallId);
    async function ask(): Promise<CallResult> {
      if (interrupts) requireCheckpointer(name, config);
      return askFirst({ thread, update, options, interrupts, approver: () => approverOf(target, config), onVerdict });
    }

    const asks = needsApproval(definition, update.type, { ask: target.ask, actor, thread, config });
    const [first, second] = asks ? [ask, submit] : [submit, ask];
    let result = await first();
    // The settings changed since the call was submitted: it stays what it was then.
    if ("verdict" in result && isIdConflict(result.verdict)) result = await second();
    if ("pending" in result) return [pendingText(state, result), pendingArtifact(result.pending)];
    const { verdict, edited } = result;
    const times = verdict.accepted ? 0 : 1 + countRefusals(input["messages"], { name, args }, verdict.rejection);
    const edit =
      edited === undefined ? "" : `Before that it was edited to: ${truncatedJson(edited, MAX_EDIT_CHARACTERS)}`;
    const content = [verdictText(state, summarize(verdict), times), approvedBy(verdict), edit].filter(
      (line) => line !== "",
    );
    return [content.join("\n"), nth === undefined ? artifact(verdict) : verdict];
  };
}

/**
 * Whether the log has something else under the call's id: a proposal instead of the operation, or
 * the operation instead of a proposal.
 */
function isIdConflict(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.path === "/id";
}

function pendingText(
  { name }: { readonly name: string },
  { pending, note }: { readonly pending: Commit; readonly note?: string },
): string {
  const text = `Proposed as "${pending.id}": it waits for a person's approval. Until it is approved, ${name} is unchanged by this call. Continue without it, and do not propose it again.`;
  return note === undefined ? text : `${text}\n${note}`;
}

function pendingArtifact({ id, version }: Commit): PendingApproval {
  return { type: "opstate.proposed", proposal: id, proposedAt: version };
}

function artifact(verdict: Verdict): Verdict {
  if (!verdict.accepted || JSON.stringify(verdict.commit ?? null).length <= MAX_ARTIFACT_CHARACTERS) return verdict;
  return { accepted: true, version: verdict.version };
}
