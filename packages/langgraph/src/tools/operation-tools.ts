// A definition's operations as LangChain tools, and the one tool that sets a whole state.

import { defined, type AnyDefinition } from "@opstate/core";
import { replacementSchema, toolsOf } from "@opstate/core/tools";
import { presumedActor } from "../thread/thread-source.ts";
import { operationTool, type OperationTool, type ToolTarget } from "./operation-tool.ts";

export type OperationToolsOptions<D extends AnyDefinition> = ToolTarget<D> & {
  /**
   * Stands before each tool's name, for agents with several definitions: `"board_"` gives
   * `board_move`. Default: nothing, or the `middleware` and "_".
   */
  readonly prefix?: string;
};

export type ReplacementToolOptions<D extends AnyDefinition> = ToolTarget<D> & {
  readonly name: string;
  readonly description: string;
};

/**
 * One LangChain tool for each operation that the actor may use.
 *
 * With `thread`, a tool submits to the thread. The model reads the thread's own verdict: accepted,
 * with the version and what changed; or refused, with the reason and what would be legal. The
 * verdict object is the tool message's `artifact`. With `streamMode: "custom"` each commit is
 * streamed at once, as a `StreamedVerdict`.
 *
 * An operation that needs approval is proposed in the thread, and the graph is interrupted with an
 * `ApprovalRequest`. It continues when it is resumed with `{ type: "accept" }`, `{ type: "edit",
 * operation }` or `{ type: "decline", message }`, with an answer in LangChain's shape, such as `{
 * decisions: [{ type: "approve" }] }`, or when the proposal was decided in the thread. An answer
 * that cannot be read asks again. With `ask: "always"` every call needs approval. With `approval:
 * "propose"` the run goes on meanwhile.
 *
 * With `field`, and no thread, the graph's own `snapshotField` decides after all parallel calls are
 * folded into it. `opstateMiddleware(definition, { field })` provides the field, and fills in the
 * verdict of each tool message before the next model call. In a graph of your own, bind these tools
 * to the model and let `operationsNode` carry the calls out.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { operationTools } from "@opstate/langgraph";
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
 * const model = fakeModel() // or any chat model
 *   .respondWithTools([{ name: "add", args: { by: 2 } }])
 *   .respond(new AIMessage("Done"));
 * const agent = createAgent({ model, tools: operationTools(counter, { thread }) });
 * const { messages } = await agent.invoke({ messages: "Add two" });
 *
 * messages[2].text; // "Accepted: counter is now at version 1.\nChanged: set /count = 2"
 * thread.getState(); // { count: 2 }
 * ```
 */
export function operationTools<D extends AnyDefinition>(
  definition: D,
  options: OperationToolsOptions<D>,
): OperationTool[] {
  const { prefix = options.middleware === undefined ? "" : `${options.middleware}_` } = options;
  const actor = presumedActor(options.actor, options.thread);
  return toolsOf(definition, defined({ actor })).map(({ name, description, inputSchema }) =>
    operationTool(
      definition,
      {
        name: `${prefix}${name}`,
        description,
        inputSchema,
        operation: name,
        update: (args) => ({ ...args, type: name }),
      },
      options,
    ),
  );
}

/**
 * A tool that sets the whole state at once, to build it for the first time or anew. Its schema has
 * no derived fields.
 */
export function replacementTool<D extends AnyDefinition>(
  definition: D,
  options: ReplacementToolOptions<D>,
): OperationTool {
  const { name, description } = options;
  const inputSchema = replacementSchema(definition);
  return operationTool(
    definition,
    { name, description, inputSchema, operation: "$replace", update: (value) => ({ type: "$replace", value }) },
    options,
  );
}
