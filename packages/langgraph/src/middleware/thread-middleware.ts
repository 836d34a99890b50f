// The middleware that keeps a LangChain agent in sync with a thread.
//
// Invariants:
// - The thread decides. Its snapshot replaces the field when the run begins, before each model
//   call, and when the run ends.
// - A model call is shown exactly one version.
// - Each change by others is shown once.
// - Nothing that the middleware shows enters the history.

import { StateSchema } from "@langchain/langgraph";
import type { AnyDefinition, Thread } from "@opstate/core";
import { createMiddleware } from "langchain";
import * as z from "zod";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { snapshotOf, threadResult } from "../fields/thread-snapshot.ts";
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
import { handOver } from "./hand-over.ts";
import { middlewareName } from "./middleware-name.ts";
import { addTraceMetadata } from "./trace-metadata.ts";
import { beganAfter, beganKey, checkMaxRefusals, endOnRepeats, type MaxRefusals } from "./repeat-breaker.ts";

export interface ThreadMiddlewareOptions<D extends AnyDefinition, Field extends string = string> {
  readonly thread: ThreadSource<D>;
  /** The actor that the agent is. Its own changes are not shown to it as changes by others. */
  readonly actor?: ActorSource;
  /**
   * The state's name for the model. Default: the definition's name. An agent with several threads
   * of one definition names each middleware, and passes the name to the tools of that thread:
   * `operationTools(board, { thread, middleware: "left" })`.
   */
  readonly name?: string;
  /**
   * The field of the graph that holds the snapshot. Default: the name. As a literal it is part of
   * the agent's state type.
   */
  readonly field?: Field;
  /**
   * The most that the model is shown, in tokens of about 4 characters: of the state (8,000) and of
   * the changes by others (600).
   */
  readonly budget?: { readonly state?: number; readonly digest?: number };
  /**
   * What the graph's checkpoints store of the field: everything (the default), or its version only.
   */
  readonly checkpoint?: "state" | "version";
  /**
   * Where the state is shown. Default: in a message at the end of each call, so that everything
   * before it can be cached. Or in the system message, for models that accept no user message after
   * a tool's result (Mistral's).
   */
  readonly place?: Place;
  /**
   * After so many refusals of one call for one reason the run ends, with a message that says why:
   * default 3. False: never.
   */
  readonly maxRefusals?: MaxRefusals;
}

export function threadMiddleware<D extends AnyDefinition>(definition: D, options: ThreadMiddlewareOptions<D>) {
  const name = middlewareName(definition, options.name);
  const field: string = options.field ?? name;
  const memory = memoryKey(name);
  const maxRefusals = checkMaxRefusals(options.maxRefusals);
  const budget = { state: 8000, digest: 600, ...options.budget };
  const find = (config: RunConfig): Promise<Thread<D>> => resolveThread(options.thread, definition, config);

  /** The version that the model was shown. */
  const trace = (state: object, config: RunConfig): void => {
    const { observation } = memoryOf({ ...state }, name) ?? {};
    if (observation !== undefined)
      addTraceMetadata(config, name, { threadId: observation.threadId, version: observation.to });
  };

  // The types do not know the fields' names, which are values here. The caller types the result.
  const fields: Record<never, never> = {
    [field]: snapshotField(definition, options),
    [memory]: z.custom<Memory>().optional(),
    [beganKey(name)]: z.custom<string>().optional(),
  };

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),

    async beforeAgent(state, runtime) {
      const config = configOf(runtime);
      const thread = await find(config);
      const runId = runOf(config)?.runId ?? crypto.randomUUID();
      const began = { [beganKey(name)]: beganAfter(state) };
      return { ...began, [field]: snapshotOf(thread, options), [memory]: { ...memoryOf(state, name), runId } };
    },

    beforeModel: endOnRepeats({ name, most: maxRefusals }, async (state, runtime) => {
      const config = configOf(runtime);
      const thread = await find(config);
      const past = memoryOf(state, name);
      const { observation, snapshot } = await observe(thread, past?.observation, state.messages, {
        for: resolveActor(options.actor, config),
        budget: budget.digest,
        checkpoint: options.checkpoint,
      });
      return { [field]: snapshot, [memory]: { runId: past?.runId ?? crypto.randomUUID(), observation } };
    }),

    async wrapModelCall(request, handler) {
      const config = configOf(request.runtime);
      trace(request.state, config);
      await checkInterrupts({ definition, name, field }, request.tools, config, find);
      const { [field]: found }: Readonly<Record<string, unknown>> = request.state;
      // The run was resumed from a checkpoint that stores no state.
      const isStateless = options.checkpoint === "version" && isFieldSnapshot(found) && found.state === null;
      const snapshot = isStateless ? snapshotOf(await find(config), options) : found;
      const digest = memoryOf(request.state, name)?.observation?.digest ?? "";
      const { place, actor } = options;
      return handler(
        withThreadContext(definition, request, { name, field, snapshot, digest, budget: budget.state, place, actor }),
      );
    },

    wrapToolCall(request, handler) {
      trace(request.state, configOf(request.runtime));
      return handOver(request, handler, async () => {
        const snapshot = threadResult(snapshotOf(await find(configOf(request.runtime)), options));
        return snapshot === undefined ? {} : { [field]: snapshot };
      });
    },

    async afterAgent(_state, runtime) {
      return { [field]: snapshotOf(await find(configOf(runtime)), options) };
    },
  });
}
