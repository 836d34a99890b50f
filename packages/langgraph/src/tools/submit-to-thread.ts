// A tool call as a submission to a thread. The tool awaits the thread's verdict. A call that needs
// approval is proposed first.

import {
  type ApprovalAnswer,
  type CallResult,
  callText,
  isIdConflict,
  keptVerdict,
  sameIdVerdict,
  sameKeyVerdict,
  shortId,
  submitOrAsk,
} from "@opstate/agent";
import { defined, type AnyDefinition, type AnyOperation, type Commit, type Thread, type Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import { isOnlyCall } from "../approval/only-call.ts";
import { approvalOf, deciderOf, needsApproval, type ApprovalOptions } from "../approval/approval-options.ts";
import { askFirst } from "../approval/ask-first.ts";
import { hasCheckpointer, requireCheckpointer } from "../approval/checkpointer.ts";
import { memoryOf } from "../thread/run-memory.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import type { Submit, ToolSpec } from "./operation-tool.ts";
import { countRefusals } from "./count-refusals.ts";
import { messageIdOf, onceId, submissionId, taskInput } from "./submission-id.ts";
import { streamVerdict } from "./stream-verdict.ts";

export interface ThreadTarget<D extends AnyDefinition> extends ApprovalOptions {
  readonly thread: ThreadSource<D>;
  readonly actor?: ActorSource;
  /**
   * The `name` of the `opstateMiddleware` of this thread, if it has one: an agent may have several
   * of one definition.
   */
  readonly middleware?: string;
}

/** The artifact of a tool message whose call needs approval. */
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
    const input = taskInput(config);
    const memory = memoryOf(input, state.name);
    const runId = runOf(config)?.runId ?? memory?.runId;
    const seen = memory?.observation;
    const actor = resolveActor(target.actor, config, thread);
    const asks = needsApproval(definition, update.type, { ask: target.ask, actor, thread, config });
    const { messages } = input;
    // A call with a question keeps its id: its answer comes with it.
    const once = asks
      ? undefined
      : onceId(definition, update, {
          runId,
          config,
          messages,
          message: messageIdOf(messages, toolCallId),
          callId: toolCallId,
          updateOf: spec.update,
          nth,
        });
    const id = once?.id ?? submissionId(config, toolCallId, nth);
    const options: DispatchOptions = defined({
      actor,
      id,
      madeAt: Date.now(),
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

    const sameId = (verdict: Verdict) =>
      once === undefined ? sameIdVerdict(verdict, toolCallId) : sameKeyVerdict(verdict, once.key);
    const result = await submitOrAsk({ asks, sameId }, submit, ask);
    if ("pending" in result) return [callText(state.name, result, 0), pendingArtifact(result.pending)];
    const { verdict } = result;
    const times = verdict.accepted ? 0 : 1 + countRefusals(messages, { name, args }, verdict.rejection);
    return [callText(state.name, result, times), nth === undefined ? keptVerdict(verdict) : verdict];
  };
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

export function pendingArtifact({ id, version }: Pick<Commit, "id" | "version">): PendingApproval {
  return { type: "opstate.proposed", proposal: id, proposedAt: version };
}
