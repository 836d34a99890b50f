// `opstateMiddleware`: a LangChain agent in step with a thread, or with the graph's own field.

import type { StateSchema, ReducedValue } from "@langchain/langgraph";
import type { AnyDefinition, StateOf } from "@opstate/core";
import type { AgentMiddleware } from "langchain";
import type { FieldSnapshot, SnapshotFieldUpdate } from "../fields/snapshot-field.ts";
import { fieldMiddleware, type FieldMiddlewareOptions } from "./field-middleware.ts";
import { threadMiddleware, type ThreadMiddlewareOptions } from "./thread-middleware.ts";

export type OpstateMiddlewareOptions<D extends AnyDefinition, Field extends string = string> =
  | ThreadMiddlewareOptions<D, Field>
  | FieldMiddlewareOptions<Field>;

/**
 * The middleware, with its field in the agent's state when the field's name is known to the types.
 */
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
 * Middleware for `createAgent`: the graph's field `definition.name` follows the thread, and every
 * model call is given, as its last message and nowhere in the history, the present state and what
 * others changed since the model last looked. A user's edit during a run goes to the thread
 * (`graph.updateState` would lose it) and is seen by the next call. The tools of `operationTools`
 * narrow to what the agent may use.
 *
 * With `{ field }` and no thread, the graph's own field decides: the model is given the field's
 * state with each call, and each tool message of `operationTools(definition, { field })` is
 * rewritten, under its id, to the verdict that the field recorded.
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
  const middleware =
    options.thread === undefined ? fieldMiddleware(definition, options) : threadMiddleware(definition, options);
  return middleware as unknown as OpstateMiddleware<D, Field>;
}
