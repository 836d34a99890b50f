// A definition's operations as LangChain tools, and the one tool that sets a whole state.

import type { AnyDefinition } from "@opstate/core";
import { replacementSchema, toolsOf } from "@opstate/core/tools";
import { presumedActor } from "../thread/thread-source.ts";
import { operationTool, type OperationTool, type ToolTarget } from "./operation-tool.ts";

export type OperationToolsOptions<D extends AnyDefinition> = ToolTarget<D> & {
  /**
   * Put before each tool's name, for agents with several definitions: `"board_"` gives
   * `board_move`. Default: nothing, or the name given as `middleware` and "_".
   */
  readonly prefix?: string;
};

export type ReplacementToolOptions<D extends AnyDefinition> = ToolTarget<D> & {
  readonly name: string;
  readonly description: string;
};

/**
 * One LangChain tool for each operation that the actor may use. With `thread`, a tool submits to
 * the thread and gives the model the thread's own verdict: accepted with the version and what
 * changed, or refused with the reason and what would be legal. The verdict object is the tool
 * message's `artifact`; with `streamMode: "custom"` each commit is streamed at once as an
 * `OpstateEvent`.
 *
 * An operation that the actor needs approval for is proposed in the thread, and the graph is
 * interrupted (with `{ operation, patches, basedOn, proposal }`) until it is resumed with `{ type:
 * "accept" }`, `{ type: "edit", operation }` or `{ type: "decline", message }`, or the proposal is
 * decided in the thread. `ask: "always"` does so with every call, `approval: "propose"` lets the
 * run go on meanwhile.
 *
 * With `field`, and no thread, the graph's own `snapshotField` decides, once all parallel calls are
 * folded into it: `opstateMiddleware(definition, { field })` keeps that field and gives each tool
 * message its verdict before the next model call. In a graph of your own `operationsNode` carries
 * the calls out, and these tools are what the model is bound to.
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
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
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
  const actor = presumedActor(options.actor);
  return toolsOf(definition, actor === undefined ? {} : { actor }).map(({ name, description, inputSchema }) =>
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
 * A tool that sets the whole state at once: to build it from nothing, or anew. Derived fields are
 * not asked for.
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
