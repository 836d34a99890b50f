// The middleware that keeps a LangChain agent and a thread in step.
//
// Invariants: the thread is the truth: the field is replaced by its snapshot when the run begins, before each model call and when the
// run ends; a model call sees exactly one version, and each change by others is told once; nothing of it enters the history.

import { SystemMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { StateSchema, type ReducedValue } from "@langchain/langgraph";
import type { AnyDefinition, StateOf, Thread } from "@opstate/core";
import { createMiddleware, type AgentMiddleware } from "langchain";
import * as z from "zod";
import { isFieldSnapshot, snapshotField, type FieldSnapshot, type SnapshotFieldUpdate } from "../fields/snapshot-field.ts";
import { snapshotOf } from "../fields/thread-snapshot.ts";
import { memoryKey, memoryOf, type Memory } from "../thread/run-memory.ts";
import { resolveActor, resolveThread, runOf, type ActorSource, type ThreadSource } from "../thread/thread-source.ts";
import { briefing } from "./briefing.ts";
import { lookAt } from "./look.ts";
import { offeredTools } from "./offered-tools.ts";

export interface OpstateMiddlewareOptions<D extends AnyDefinition, Field extends string = string> {
  readonly thread: ThreadSource<D>;
  /** Who the agent is: its own changes are not news to it, and its tools narrow to what it may use. */
  readonly actor?: ActorSource;
  /** The field of the graph that holds the snapshot; the definition's name unless given. Given as a literal, the agent's state is typed with it. */
  readonly field?: Field;
  /** How much the model is told at most, in tokens of about 4 characters: the state (8,000) and the changes by others (600). */
  readonly budget?: { readonly state?: number; readonly digest?: number };
}

/** The middleware, with its field in the agent's state when the field's name is known to the types. */
export type OpstateMiddleware<D extends AnyDefinition, Field extends string> = AgentMiddleware<
  StateSchema<string extends Field ? Record<never, never> : Record<Field, ReducedValue<FieldSnapshot<StateOf<D>>, SnapshotFieldUpdate<D>>>>,
  undefined,
  unknown,
  readonly []
>;

/**
 * Middleware for `createAgent`: the graph's field `definition.name` follows the thread, and every model call is given, in its system
 * message only, the present state and what others changed since the model last looked. A user's edit during a run goes to the thread
 * (`graph.updateState` would lose it) and is seen by the next call. The tools of `operationTools` narrow to what the agent may use.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { operationTools, opstateMiddleware } from "@opstate/langgraph";
 * import { createAgent, fakeModel, AIMessage } from "langchain";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 *
 * const agent = createAgent({
 *   model: fakeModel().respondWithTools([{ name: "add", args: { by: 2 } }]).respond(new AIMessage("Done")),
 *   tools: operationTools(counter, { thread }),
 *   middleware: [opstateMiddleware(counter, { thread, field: "counter" })],
 * });
 * const result = await agent.invoke({ messages: "Add two" });
 *
 * result.counter; // { version: 1, state: { count: 2 }, outcomes: {} }
 * ```
 */
export function opstateMiddleware<D extends AnyDefinition, const Field extends string = string>(
  definition: D,
  options: OpstateMiddlewareOptions<D, Field>,
): OpstateMiddleware<D, Field> {
  const field: string = options.field ?? definition.name;
  const memory = memoryKey(definition);
  const budget = { state: 8000, digest: 600, ...options.budget };
  const find = (config: RunnableConfig): Promise<Thread<D>> => resolveThread(options.thread, definition, config);

  // The fields' names are values here: the types know none of them, and the result is typed as a whole.
  const fields: Record<never, never> = { [field]: snapshotField(definition), [memory]: z.custom<Memory>().optional() };

  const middleware = createMiddleware({
    name: `opstate_${definition.name}`,
    stateSchema: new StateSchema(fields),

    async beforeAgent(state, runtime) {
      const thread = await find(runtime);
      const runId = runOf(runtime)?.runId ?? crypto.randomUUID();
      return { [field]: snapshotOf(thread), [memory]: { ...memoryOf(state, definition), runId } };
    },

    async beforeModel(state, runtime) {
      const thread = await find(runtime);
      const past = memoryOf(state, definition);
      const { look, snapshot } = await lookAt(thread, past?.look, state.messages, {
        for: resolveActor(options.actor, runtime),
        budget: budget.digest,
      });
      return { [field]: snapshot, [memory]: { runId: past?.runId ?? crypto.randomUUID(), look } };
    },

    wrapModelCall(request, handler) {
      const { [field]: snapshot }: Readonly<Record<string, unknown>> = request.state;
      if (!isFieldSnapshot(snapshot)) {
        throw new TypeError(
          `The graph's field "${field}" is no snapshotField. Leave it out of the agent's own stateSchema, or give opstateMiddleware another \`field\`.`,
        );
      }
      const text = briefing(definition, snapshot, memoryOf(request.state, definition)?.look?.digest ?? "", budget.state);
      return handler({
        ...request,
        systemMessage: request.systemMessage.text === "" ? new SystemMessage(text) : request.systemMessage.concat(`\n\n${text}`),
        tools: request.tools.filter(offeredTools(definition, snapshot.state, resolveActor(options.actor, request.runtime))),
      });
    },

    async afterAgent(_state, runtime) {
      return { [field]: snapshotOf(await find(runtime)) };
    },
  });
  return middleware as unknown as OpstateMiddleware<D, Field>;
}
