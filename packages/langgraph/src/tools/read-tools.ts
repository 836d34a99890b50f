// Tools that read what a model is not shown of a large state. They are never offered and withdrawn
// by the size of a state: a list of tools that stays as it is can be cached.

import { DynamicStructuredTool } from "@langchain/core/tools";
import { readToolsOf, type ReadableState } from "@opstate/agent";
import { defined, type AnyDefinition } from "@opstate/core";
import { isFieldSnapshot } from "../fields/snapshot-field.ts";
import { resolveThread, type RunConfig, type ThreadSource } from "../thread/thread-source.ts";
import { shownSchema } from "./shown-schema.ts";
import { taskInput } from "./submission-id.ts";

export type ReadToolsOptions<D extends AnyDefinition> = (
  | {
      readonly thread: ThreadSource<D>;
      /** The `name` of the `opstateMiddleware` of this thread, if it has one. */
      readonly middleware?: string;
    }
  | {
      /** The graph's `stateField` or `snapshotField`. */
      readonly field: string;
      readonly thread?: undefined;
      readonly middleware?: undefined;
    }
) & {
  /** Stands before `read` and `find` in the names. Default: the state's name and "_". */
  readonly prefix?: string;
  /** The most characters of an answer; default 6,000, which is about 1,500 tokens. */
  readonly characters?: number;
};

/**
 * Two LangChain tools for states that are too large to be shown: `<name>_read` gives the value at a
 * JSON Pointer, a list in parts; `<name>_find` finds items by a text in them, and names each by
 * pointer, id and label. They read the newest state of the thread that `thread` gives for the run,
 * and nothing else. Add them to every agent whose state may grow: their list never changes.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { operationTools, opstateMiddleware, readTools } from "@opstate/langgraph";
 * import { createAgent, fakeModel, AIMessage } from "langchain";
 * import { z } from "zod";
 *
 * const Item = z.object({ id: z.string(), title: z.string(), done: z.boolean() });
 * const list = defineState({
 *   name: "list",
 *   schema: z.object({ items: z.array(Item) }),
 *   initial: { items: Array.from({ length: 10_000 }, (_, n) => ({ id: `i-${n}`, title: `Item ${n}`, done: false })) },
 *   operations: {
 *     finish: {
 *       input: z.object({ id: z.string() }),
 *       apply(draft, { id }) {
 *         const item = draft.items.find((item) => item.id === id);
 *         if (item) item.done = true;
 *       },
 *     },
 *   },
 * });
 * const thread = await openThread({ definition: list, log: memoryLog(), threadId: "demo" });
 *
 * const agent = createAgent({
 *   model: fakeModel() // or any chat model
 *     .respondWithTools([{ name: "list_find", args: { text: "item 4711" } }])
 *     .respondWithTools([{ name: "finish", args: { id: "i-4711" } }])
 *     .respond(new AIMessage("Done")),
 *   tools: [...operationTools(list, { thread }), ...readTools(list, { thread })],
 *   middleware: [opstateMiddleware(list, { thread })],
 * });
 * const { messages } = await agent.invoke({ messages: "Finish item 4711" });
 *
 * messages[2].text.split("\n")[1]; // '/items/4711: i-4711 "Item 4711"'
 * thread.getState().items[4711].done; // true
 * ```
 */
export function readTools<D extends AnyDefinition>(
  definition: D,
  options: ReadToolsOptions<D>,
): DynamicStructuredTool[] {
  const { middleware: name = definition.name, prefix, characters } = options;
  const stateOf = async (config: RunConfig): Promise<ReadableState> => {
    if (options.thread !== undefined) {
      const thread = await resolveThread(options.thread, definition, config);
      return { version: thread.version, state: thread.getState() };
    }
    const input = taskInput(config);
    if (!Object.hasOwn(input, options.field))
      throw new TypeError(
        `The read tools of "${name}" need a field "${options.field}" in their graph, and there is none. Give the agent opstateMiddleware(definition, { field: "${options.field}" }), or give the tools a \`thread\`.`,
      );
    const value = input[options.field];
    return isFieldSnapshot(value) ? value : { state: value };
  };
  return readToolsOf(definition, defined({ name, prefix, characters })).map(
    (tool) =>
      new DynamicStructuredTool({
        name: tool.name,
        description: tool.description,
        schema: shownSchema(tool.inputSchema),
        func: async (args, _manager, config) => tool.run(await stateOf(config ?? {}), args),
      }),
  );
}
