// The middleware that keeps a LangChain agent and a thread in step.
//
// Invariants: the thread is the truth: the field is replaced by its snapshot when the run begins,
// before each model call and when the run ends; a model call sees exactly one version, and each
// change by others is told once; nothing of it enters the history.

import { StateSchema } from "@langchain/langgraph";
import type { AnyDefinition, Thread } from "@opstate/core";
import { createMiddleware } from "langchain";
import * as z from "zod";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { snapshotOf } from "../fields/thread-snapshot.ts";
import { memoryKey, memoryOf, type Memory } from "../thread/run-memory.ts";
import {
  configOf,
  resolveActor,
  resolveThread,
  runOf,
  type ActorSource,
  type RunConfig,
  type ThreadSource,
} from "../thread/thread-source.ts";
import type { Place } from "./briefing.ts";
import { checkInterrupts } from "./check-interrupts.ts";
import { withThreadContext } from "./thread-context.ts";
import { observe } from "./observe.ts";
import { middlewareName } from "./middleware-name.ts";

export interface ThreadMiddlewareOptions<D extends AnyDefinition, Field extends string = string> {
  readonly thread: ThreadSource<D>;
  /**
   * Who the agent is: its own changes are not news to it, and its tools narrow to what it may use.
   */
  readonly actor?: ActorSource;
  /**
   * What the model reads the state as; the definition's name unless given. An agent with several
   * threads of one definition names the middleware of each, and says it to their tools:
   * `operationTools(board, { thread, middleware: "left" })`.
   */
  readonly name?: string;
  /**
   * The field of the graph that holds the snapshot; the name unless given. Given as a literal, the
   * agent's state is typed with it.
   */
  readonly field?: Field;
  /**
   * How much the model is told at most, in tokens of about 4 characters: the state (8,000) and the
   * changes by others (600).
   */
  readonly budget?: { readonly state?: number; readonly digest?: number };
  /**
   * What the graph's checkpoints store of the field: all of it (the default), or its version only.
   */
  readonly checkpoint?: "state" | "version";
  /**
   * Where the model is told: in a message of its own at the end of each call (the default), so that
   * what stands before it can be cached, or in the system message, for models that take no user's
   * message after a tool's result (Mistral's).
   */
  readonly place?: Place;
}

export function threadMiddleware<D extends AnyDefinition>(definition: D, options: ThreadMiddlewareOptions<D>) {
  const name = middlewareName(definition, options.name);
  const field: string = options.field ?? name;
  const memory = memoryKey(name);
  const budget = { state: 8000, digest: 600, ...options.budget };
  const find = (config: RunConfig): Promise<Thread<D>> => resolveThread(options.thread, definition, config);

  // The fields' names are values here: the types know none of them, and the result is typed as a
  // whole.
  const fields: Record<never, never> = {
    [field]: snapshotField(definition, options),
    [memory]: z.custom<Memory>().optional(),
  };

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),

    async beforeAgent(state, runtime) {
      const config = configOf(runtime);
      const thread = await find(config);
      const runId = runOf(config)?.runId ?? crypto.randomUUID();
      return { [field]: snapshotOf(thread, options), [memory]: { ...memoryOf(state, name), runId } };
    },

    async beforeModel(state, runtime) {
      const config = configOf(runtime);
      const thread = await find(config);
      const past = memoryOf(state, name);
      const { look, snapshot } = await observe(thread, past?.look, state.messages, {
        for: resolveActor(options.actor, config),
        budget: budget.digest,
        checkpoint: options.checkpoint,
      });
      return { [field]: snapshot, [memory]: { runId: past?.runId ?? crypto.randomUUID(), look } };
    },

    async wrapModelCall(request, handler) {
      const config = configOf(request.runtime);
      await checkInterrupts({ definition, name, field }, request.tools, config, find);
      const { [field]: found }: Readonly<Record<string, unknown>> = request.state;
      // Resumed from a checkpoint that has no state.
      const isHollow = options.checkpoint === "version" && isFieldSnapshot(found) && found.state === null;
      const snapshot = isHollow ? snapshotOf(await find(config), options) : found;
      const digest = memoryOf(request.state, name)?.look?.digest ?? "";
      const { place, actor } = options;
      return handler(
        withThreadContext(definition, request, { name, field, snapshot, digest, budget: budget.state, place, actor }),
      );
    },

    async afterAgent(_state, runtime) {
      return { [field]: snapshotOf(await find(configOf(runtime)), options) };
    },
  });
}
