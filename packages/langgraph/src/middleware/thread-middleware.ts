// The middleware that keeps a LangChain agent and a thread in step.
//
// Invariants: the thread is the truth: the field is replaced by its snapshot when the run begins, before each model call and when the
// run ends; a model call sees exactly one version, and each change by others is told once; nothing of it enters the history.

import type { RunnableConfig } from "@langchain/core/runnables";
import { StateSchema } from "@langchain/langgraph";
import type { AnyDefinition, Thread } from "@opstate/core";
import { createMiddleware } from "langchain";
import * as z from "zod";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { snapshotOf } from "../fields/thread-snapshot.ts";
import { memoryKey, memoryOf, type Memory } from "../thread/run-memory.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import { checkInterrupts } from "./check-interrupts.ts";
import { informed } from "./informed.ts";
import { lookAt } from "./look.ts";

export interface ThreadMiddlewareOptions<D extends AnyDefinition, Field extends string = string> {
  readonly thread: ThreadSource<D>;
  /** Who the agent is: its own changes are not news to it, and its tools narrow to what it may use. */
  readonly actor?: ActorSource;
  /** The field of the graph that holds the snapshot; the definition's name unless given. Given as a literal, the agent's state is typed with it. */
  readonly field?: Field;
  /** How much the model is told at most, in tokens of about 4 characters: the state (8,000) and the changes by others (600). */
  readonly budget?: { readonly state?: number; readonly digest?: number };
  /** What the graph's checkpoints store of the field: all of it (the default), or its version only. */
  readonly checkpoint?: "state" | "version";
}

export function threadMiddleware<D extends AnyDefinition>(definition: D, options: ThreadMiddlewareOptions<D>) {
  const field: string = options.field ?? definition.name;
  const memory = memoryKey(definition);
  const budget = { state: 8000, digest: 600, ...options.budget };
  const find = (config: RunnableConfig): Promise<Thread<D>> => resolveThread(options.thread, definition, config);

  // The fields' names are values here: the types know none of them, and the result is typed as a whole.
  const fields: Record<never, never> = { [field]: snapshotField(definition, options), [memory]: z.custom<Memory>().optional() };

  return createMiddleware({
    name: `opstate_${definition.name}`,
    stateSchema: new StateSchema(fields),

    async beforeAgent(state, runtime) {
      const thread = await find(runtime);
      const runId = runOf(runtime)?.runId ?? crypto.randomUUID();
      return { [field]: snapshotOf(thread, options), [memory]: { ...memoryOf(state, definition), runId } };
    },

    async beforeModel(state, runtime) {
      const thread = await find(runtime);
      const past = memoryOf(state, definition);
      const { look, snapshot } = await lookAt(thread, past?.look, state.messages, {
        for: resolveActor(options.actor, runtime),
        budget: budget.digest,
        checkpoint: options.checkpoint,
      });
      return { [field]: snapshot, [memory]: { runId: past?.runId ?? crypto.randomUUID(), look } };
    },

    async wrapModelCall(request, handler) {
      await checkInterrupts(definition, request, find);
      const { [field]: found }: Readonly<Record<string, unknown>> = request.state;
      // Resumed from a checkpoint that has no state.
      const isHollow = options.checkpoint === "version" && isFieldSnapshot(found) && found.state === null;
      const snapshot = isHollow ? snapshotOf(await find(request.runtime), options) : found;
      const digest = memoryOf(request.state, definition)?.look?.digest ?? "";
      return handler(informed(definition, request, { field, snapshot, digest, budget: budget.state, actor: options.actor }));
    },

    async afterAgent(_state, runtime) {
      return { [field]: snapshotOf(await find(runtime), options) };
    },
  });
}
