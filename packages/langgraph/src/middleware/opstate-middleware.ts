// `opstateMiddleware`: keeps a LangChain agent in sync with a thread, or with the graph's own
// field.

import type { StateSchema, ReducedValue } from "@langchain/langgraph";
import type { AnyDefinition, StateOf } from "@opstate/core";
import type { AgentMiddleware } from "langchain";
import type { FieldSnapshot, SnapshotFieldUpdate } from "../fields/snapshot-field.ts";
import { fieldMiddleware, type FieldMiddlewareOptions } from "./field-middleware.ts";
import { threadMiddleware, type ThreadMiddlewareOptions } from "./thread-middleware.ts";

export type OpstateMiddlewareOptions<D extends AnyDefinition, Field extends string = string> =
  | ThreadMiddlewareOptions<D, Field>
  | FieldMiddlewareOptions<Field>;

/** The middleware. When the types know the field's name, the agent's state is typed with it. */
export type OpstateMiddleware<D extends AnyDefinition, Field extends string> = AgentMiddleware<
  StateSchema<
    string extends Field
      ? Record<never, never>
      : Record<Field, ReducedValue<FieldSnapshot<StateOf<D>>, SnapshotFieldUpdate<D>>>
  >,
  undefined,
  unknown,
  readonly []
>;

/**
 * Middleware for `createAgent`. The graph's field `definition.name` follows the thread. Every model
 * call ends with a message, which is not in the history, with the current state and what others
 * changed since the model last looked. A large state stands before the conversation, and the
 * message has what changed since. A user's edit during a run goes to the thread, and the next call
 * shows it (`graph.updateState` would lose it). Of the tools of `operationTools` the model is
 * offered those that the agent may use, and reads which are not possible now.
 *
 * With `{ field }` and no thread, the graph's own field decides. The model is shown the field's
 * state with each call. Each tool message of `operationTools(definition, { field })` is rewritten,
 * under its id, to the verdict that the field recorded.
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
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "demo" });
 *
 * const agent = createAgent({
 *   model: fakeModel()
 *     .respondWithTools([{ name: "add", args: { by: 2 } }])
 *     .respond(new AIMessage("Done")),
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
  const middleware =
    options.thread === undefined ? fieldMiddleware(definition, options) : threadMiddleware(definition, options);
  return middleware as unknown as OpstateMiddleware<D, Field>;
}
