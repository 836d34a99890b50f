// A tool call as a submission to a thread: the verdict is the thread's, awaited.

import type { AnyDefinition, Verdict } from "@opstate/core";
import { memoryOf } from "../thread/run-memory.ts";
import { shortId } from "../thread/short-id.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import type { Submit } from "./operation-tool.ts";
import { refusedSince } from "./refused-since.ts";
import { submissionId, taskInput } from "./submission-id.ts";
import { toldBy, verdictText } from "./verdict-text.ts";

/** A larger commit is not stored once more with the message: the thread has it. */
const ARTIFACT_CHARACTERS = 16_384;

export interface ThreadTarget<D extends AnyDefinition> {
  readonly thread: ThreadSource<D>;
  readonly actor?: ActorSource;
}

export function submitToThread<D extends AnyDefinition>(definition: D, target: ThreadTarget<D>): Submit {
  return async ({ name, args, update }, config) => {
    const thread = await resolveThread(target.thread, definition, config);
    config.signal?.throwIfAborted();
    const toolCallId = config.toolCall?.id;
    const id = submissionId(config, toolCallId);
    const state = taskInput(config);
    const runId = runOf(config)?.runId ?? memoryOf(state, definition)?.runId;
    const about = {
      actor: resolveActor(target.actor, config),
      ...(id === undefined ? {} : { id }),
      ...(runId === undefined ? {} : { runId: shortId(runId) }),
      ...(toolCallId === undefined ? {} : { toolCallId: shortId(toolCallId) }),
    };
    const verdict: Verdict = await thread.dispatch(update, about);
    const { threadId } = thread;
    if (!verdict.accepted) {
      const { version, rejection, attempt } = verdict;
      config.writer?.({ type: "opstate.rejection", threadId, operation: update, ...about, version, rejection, attempt });
    }
    if (verdict.accepted && verdict.commit !== undefined) config.writer?.({ type: "opstate.commit", threadId, commit: verdict.commit });
    const times = verdict.accepted ? 0 : 1 + refusedSince(state["messages"], { name, args }, verdict.rejection);
    return [verdictText(definition, toldBy(verdict), times), artifact(verdict)];
  };
}

function artifact(verdict: Verdict): Verdict {
  if (!verdict.accepted || JSON.stringify(verdict.commit ?? null).length <= ARTIFACT_CHARACTERS) return verdict;
  return { accepted: true, version: verdict.version };
}
