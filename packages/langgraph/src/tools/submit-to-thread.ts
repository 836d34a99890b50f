// A tool call as a submission to a thread: the verdict is the thread's, awaited; a call that needs
// somebody's yes is proposed first.

import type { AnyDefinition, Commit, Thread, Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import { isAlone } from "../approval/alone.ts";
import { approvalOf, approverOf, mustAsk, type ApprovalOptions } from "../approval/approval-options.ts";
import { askFirst, type Asked } from "../approval/ask-first.ts";
import { approvedBy } from "../approval/carry-out.ts";
import { mustHaveCheckpointer } from "../approval/checkpointer.ts";
import { short } from "../fields/changed.ts";
import { memoryOf } from "../thread/run-memory.ts";
import { shortId } from "../thread/short-id.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import type { Submit } from "./operation-tool.ts";
import { refusedSince } from "./refused-since.ts";
import { submissionId, taskInput } from "./submission-id.ts";
import { streamVerdict } from "./stream-verdict.ts";
import { summarize, verdictText } from "./verdict-text.ts";

/** A larger commit is not stored once more with the message: the thread has it. */
const ARTIFACT_CHARACTERS = 16_384;
const EDIT_CHARACTERS = 400;

export interface ThreadTarget<D extends AnyDefinition> extends ApprovalOptions {
  readonly thread: ThreadSource<D>;
  readonly actor?: ActorSource;
  /**
   * The `name` of the `opstateMiddleware` that goes with these tools, where it has one: an agent
   * may have several of one definition.
   */
  readonly middleware?: string;
}

/** The artifact of a tool message whose call waits for somebody's yes. */
interface Proposed {
  readonly type: "opstate.proposed";
  readonly proposal: string;
  readonly proposedAt: number;
}

export function submitToThread<D extends AnyDefinition>(definition: D, target: ThreadTarget<D>): Submit {
  const called = { name: target.middleware ?? definition.name };
  return async ({ name, args, update }, config) => {
    const thread: Thread = await resolveThread(target.thread, definition, config);
    config.signal?.throwIfAborted();
    const toolCallId = config.toolCall?.id;
    const id = submissionId(config, toolCallId);
    const state = taskInput(config);
    const runId = runOf(config)?.runId ?? memoryOf(state, called.name)?.runId;
    const about: DispatchOptions = {
      actor: resolveActor(target.actor, config),
      ...(id === undefined ? {} : { id }),
      ...(runId === undefined ? {} : { runId: shortId(runId) }),
      ...(toolCallId === undefined ? {} : { toolCallId: shortId(toolCallId) }),
    };
    const tell = (verdict: Verdict) => streamVerdict(config.writer, thread.threadId, update, about, verdict);

    async function submit(): Promise<Asked> {
      const verdict = await thread.dispatch(update, about);
      if (!isTaken(verdict)) tell(verdict);
      return { verdict };
    }

    const interrupts = approvalOf(target, config) === "interrupt" && isAlone(state, toolCallId);
    const ask = async () => {
      if (interrupts) mustHaveCheckpointer(name, config);
      return askFirst({ thread, update, about, interrupts, approver: () => approverOf(target, config), tell });
    };
    const asks = mustAsk(definition, update.type, { ask: target.ask, actor: about.actor, thread, config });
    const [first, second] = asks ? [ask, submit] : [submit, ask];
    let asked = await first();
    // The run went on under other settings: what the call became before, it stays.
    if ("verdict" in asked && isTaken(asked.verdict)) asked = await second();
    if ("waits" in asked) return [waitsText(called, asked), waitsArtifact(asked.waits)];
    const { verdict, edited } = asked;
    const times = verdict.accepted ? 0 : 1 + refusedSince(state["messages"], { name, args }, verdict.rejection);
    const edit = edited === undefined ? "" : `It was edited before, to: ${short(edited, EDIT_CHARACTERS)}`;
    const content = [verdictText(called, summarize(verdict), times), approvedBy(verdict), edit].filter(
      (line) => line !== "",
    );
    return [content.join("\n"), artifact(verdict)];
  };
}

/**
 * Whether the call's id stands for something else in the log: a proposal instead of the operation,
 * or the other way round.
 */
function isTaken(verdict: Verdict): boolean {
  return !verdict.accepted && verdict.rejection.code === "conflict" && verdict.rejection.path === "/id";
}

function waitsText(
  { name }: { readonly name: string },
  { waits, because }: { readonly waits: Commit; readonly because?: string },
): string {
  const text = `Proposed as "${waits.id}": it waits for somebody's yes. Until then ${name} is unchanged by this call. Go on without it, and do not propose it again.`;
  return because === undefined ? text : `${text}\n${because}`;
}

function waitsArtifact({ id, version }: Commit): Proposed {
  return { type: "opstate.proposed", proposal: id, proposedAt: version };
}

function artifact(verdict: Verdict): Verdict {
  if (!verdict.accepted || JSON.stringify(verdict.commit ?? null).length <= ARTIFACT_CHARACTERS) return verdict;
  return { accepted: true, version: verdict.version };
}
