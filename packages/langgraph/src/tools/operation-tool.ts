// One tool that submits one kind of update to a thread and answers with the thread's verdict.
//
// Invariants: the verdict is the thread's, awaited, never a guess from the state the step began with; one tool call has one effect;
// a refusal is an ordinary result (models loop on results marked as errors); arguments of any shape reach the engine.

import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { AnyDefinition, Verdict } from "@opstate/core";
import * as z from "zod";
import { memoryOf } from "../thread/run-memory.ts";
import { shortId } from "../thread/short-id.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import type { OpstateEvent } from "./event.ts";
import { refusedSince } from "./refused-since.ts";
import { submissionId, taskInput } from "./submission-id.ts";
import { verdictText } from "./verdict-text.ts";

/** A larger commit is not stored once more with the message: the thread has it. */
const ARTIFACT_CHARACTERS = 16_384;

export interface ToolTarget<D extends AnyDefinition> {
  readonly thread: ThreadSource<D>;
  readonly actor?: ActorSource;
}

interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The operation's type, or `$replace`. */
  readonly operation: string;
  readonly update: (args: Readonly<Record<string, unknown>>) => { readonly type: string };
}

/** A LangChain tool that knows which operation of which definition it submits, so that a middleware can tell it from the others. */
export class OperationTool extends DynamicStructuredTool {
  readonly definition: AnyDefinition;
  readonly operation: string;

  constructor(definition: AnyDefinition, spec: ToolSpec, submit: (args: unknown, config: ToolConfig) => Promise<[string, Verdict]>) {
    super({
      name: spec.name,
      description: spec.description,
      schema: announced(spec.inputSchema),
      responseFormat: "content_and_artifact",
      func: (args, _manager, config) => submit(args, config ?? {}),
    });
    this.definition = definition;
    this.operation = spec.operation;
  }
}

/** What LangGraph gives a tool beside the arguments. */
type ToolConfig = RunnableConfig & { readonly toolCall?: { readonly id?: string }; readonly writer?: (event: OpstateEvent) => void };

export function operationTool<D extends AnyDefinition>(definition: D, spec: ToolSpec, target: ToolTarget<D>): OperationTool {
  return new OperationTool(definition, spec, async (args, config) => {
    const thread = await resolveThread(target.thread, definition, config);
    config.signal?.throwIfAborted();
    const toolCallId = config.toolCall?.id;
    const id = submissionId(config, toolCallId);
    const state = taskInput(config);
    const runId = runOf(config)?.runId ?? memoryOf(state, definition)?.runId;
    const actor = resolveActor(target.actor, config);
    const update = spec.update(typeof args === "object" && args !== null ? { ...args } : {});
    const about = {
      actor,
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
    const times = verdict.accepted ? 0 : 1 + refusedSince(state["messages"], { name: spec.name, args }, verdict.rejection);
    return [verdictText(definition, verdict, times), artifact(verdict)];
  });
}

/** A schema that shows the model `json` and takes anything: LangChain answers arguments that break a schema by itself, without the engine. */
function announced(json: Readonly<Record<string, unknown>>) {
  const schema = z.unknown();
  schema._zod.toJSONSchema = () => ({ ...json });
  return schema;
}

function artifact(verdict: Verdict): Verdict {
  if (!verdict.accepted || JSON.stringify(verdict.commit ?? null).length <= ARTIFACT_CHARACTERS) return verdict;
  return { accepted: true, version: verdict.version };
}
