// A tool call as a submission to a thread. The tool awaits the thread's verdict. A call that needs
// approval is proposed first.

import { type ApprovalAnswer, openProposalText, shortId, summarize, truncatedJson, verdictText } from "@opstate/agent";
import { defined, type AnyDefinition, type AnyOperation, type Commit, type Thread, type Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import { isOnlyCall } from "../approval/only-call.ts";
import { approvalOf, deciderOf, needsApproval, type ApprovalOptions } from "../approval/approval-options.ts";
import { askFirst } from "../approval/ask-first.ts";
import { approvedBy, type CallResult } from "../approval/carry-out.ts";
import { hasCheckpointer, requireCheckpointer } from "../approval/checkpointer.ts";
import { memoryOf } from "../thread/run-memory.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import type { Submit, ToolSpec } from "./operation-tool.ts";
import { countRefusals } from "./count-refusals.ts";
import { sameIdRejection } from "./same-id.ts";
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
  return async ({ name, args, requested = args, update, spec, nth }, config) => {
    const thread: Thread = await resolveThread(target.thread, definition, config);
    config.signal?.throwIfAborted();
    const toolCallId = config.toolCall?.id;
    const id = submissionId(config, toolCallId, nth);
    const input = taskInput(config);
    const memory = memoryOf(input, state.name);
    const runId = runOf(config)?.runId ?? memory?.runId;
    const seen = memory?.observation;
    const actor = resolveActor(target.actor, config, thread);
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

    const mayInterrupt = approvalOf(target, config) === "interrupt" && isOnlyCall(input, toolCallId);
    const operationOf = (edited: string, changed: unknown) => operationOfCall(definition, spec, edited, changed);
    async function ask(): Promise<CallResult> {
      const call = { name, args: requested, inputSchema: spec.inputSchema, operationOf };
      const interrupts = mayInterrupt && (asks || hasCheckpointer(config));
      if (interrupts) requireCheckpointer(name, config);
      const decider = (answer: ApprovalAnswer["type"]) => deciderOf(target, answer, thread, config);
      return askFirst({ thread, call, update, options, config, interrupts, decider, onVerdict });
    }

    const asks = needsApproval(definition, update.type, { ask: target.ask, actor, thread, config });
    const [first, second] = asks ? [ask, submit] : [submit, ask];
    let result = await first();
    // The settings changed since the call was submitted: it stays what it was then.
    if ("verdict" in result && isIdConflict(result.verdict)) result = await second();
    if ("verdict" in result && isIdConflict(result.verdict)) result = { verdict: sameId(result.verdict, toolCallId) };
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
export function isIdConflict(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.path === "/id";
}

/** Another call of the same message has this id in the log. */
function sameId(verdict: Verdict, toolCallId: string | undefined): Verdict {
  if (verdict.accepted) return verdict;
  const { operation } = verdict.rejection;
  return { ...verdict, rejection: sameIdRejection(operation, toolCallId) };
}

/**
 * The operation of a call whose tool a person may have changed: of the same tool, or of another one
 * of the definition. Undefined when it names none.
 */
function operationOfCall(
  definition: AnyDefinition,
  spec: ToolSpec,
  name: string,
  args: unknown,
): AnyOperation | undefined {
  const given = typeof args === "object" && args !== null ? { ...args } : {};
  if (name === spec.name) return spec.update(given);
  const prefix = spec.name.endsWith(spec.operation) ? spec.name.slice(0, -spec.operation.length) : "";
  const type = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return definition.model.operations.has(type) ? { ...given, type } : undefined;
}

function pendingText(
  { name }: { readonly name: string },
  { pending, note }: { readonly pending: Commit; readonly note?: string },
): string {
  const text = openProposalText(name, pending);
  return note === undefined ? text : `${text}\n${note}`;
}

export function pendingArtifact({ id, version }: Pick<Commit, "id" | "version">): PendingApproval {
  return { type: "opstate.proposed", proposal: id, proposedAt: version };
}

function artifact(verdict: Verdict): Verdict {
  if (!verdict.accepted || JSON.stringify(verdict.commit ?? null).length <= MAX_ARTIFACT_CHARACTERS) return verdict;
  return { accepted: true, version: verdict.version };
}
