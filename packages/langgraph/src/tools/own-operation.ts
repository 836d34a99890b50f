// An operation inside a tool of the developer's own: it is submitted as one of `operationTools` is.
//
//   tool call call_0 of message m      first run        a retry, or the run after an answer
//     operation(config, add)           m/call_0         m/call_0     known: the same verdict
//     operation(config, move)          m/call_0/2       m/call_0/2
//
// The ids follow the order of the calls, so the tool must make them in the same order each time.

import type { RunnableConfig } from "@langchain/core/runnables";
import type { AnyDefinition, Thread, UpdateOf, Verdict } from "@opstate/core";
import { isThread, runOf, type RunConfig, type ThreadSource } from "../thread/thread-source.ts";
import type { ToolSpec } from "./operation-tool.ts";
import { submitToThread, type ThreadTarget } from "./submit-to-thread.ts";

export interface OperationOptions<D extends AnyDefinition> extends Omit<ThreadTarget<D>, "thread"> {
  /** Default: the thread of the run, which `graphAgent` or `configurable.opstate` gives. */
  readonly thread?: ThreadSource<D>;
}

export interface OperationResult {
  /** What the model is to read of it. */
  readonly text: string;
  /** Undefined until a person has approved the operation. */
  readonly verdict: Verdict | undefined;
}

/** The config of a tool, as LangChain gives it: what stands in it beside a run's config. */
type ToolConfig = RunConfig & {
  readonly toolCall?: { readonly id?: string; readonly name?: string; readonly args?: unknown };
};

/** How many operations the tool has submitted that got this config. Each run of it gets its own. */
const counts = new WeakMap<object, number>();

/**
 * Submits an update to the thread from a tool of your own. It has one effect, however often
 * LangGraph runs the tool: its id is made of the ids of the model's message and of the tool call,
 * and several of one call are numbered in the order in which the tool makes them. Its commit has
 * the ids of the run and of the call, so that it is undone with the run. What needs approval is
 * proposed first, and interrupts the graph, as a tool of `operationTools` does.
 *
 * Pass the very `config` (or `runtime`) that the tool got. Throws a TypeError when it is none, or
 * when there is no thread.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { operation } from "@opstate/langgraph";
 * import { createAgent, fakeModel, tool, AIMessage } from "langchain";
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
 * const addTwice = tool(
 *   async ({ by }, config) => {
 *     const first = await operation(config, counter.op.add({ by }), { thread });
 *     const second = await operation(config, counter.op.add({ by }), { thread });
 *     return [first, second].map(({ text }) => text).join("\n");
 *   },
 *   { name: "addTwice", description: "Add a number twice", schema: z.object({ by: z.int() }) },
 * );
 * const model = fakeModel()
 *   .respondWithTools([{ name: "addTwice", args: { by: 2 } }])
 *   .respond(new AIMessage("Done"));
 * await createAgent({ model, tools: [addTwice] }).invoke({ messages: "Add two, twice" });
 *
 * thread.getState(); // { count: 4 }
 * ```
 */
export async function operation<D extends AnyDefinition = AnyDefinition>(
  config: RunnableConfig,
  update: UpdateOf<D>,
  options: OperationOptions<D> = {},
): Promise<OperationResult> {
  const given: unknown = config;
  if (typeof given !== "object" || given === null)
    throw new TypeError(
      `operation(config, update) needs the config that the tool got, its second argument; it got ${String(given)}.`,
    );
  // Before anything is awaited, so that the numbers follow the order of the calls.
  const nth = (counts.get(given) ?? 0) + 1;
  counts.set(given, nth);
  const run: ToolConfig = config;
  const thread = await threadOf(options.thread, run);
  const { toolCall } = run;
  const name = toolCall?.name ?? "operation";
  const { type, ...requested } = update;
  // A person who decides may edit the operation, not the tool's own arguments.
  const spec: ToolSpec = {
    name,
    description: "",
    inputSchema: { type: "object" },
    operation: type,
    update: (input) => ({ ...input, type }),
  };
  const [content, artifact] = await submitToThread(thread.definition, { ...options, thread })(
    { name, args: toolCall?.args, requested, update, spec, nth },
    run,
  );
  return { text: String(content), verdict: isVerdict(artifact) ? artifact : undefined };
}

async function threadOf<D extends AnyDefinition>(
  source: ThreadSource<D> | undefined,
  config: RunConfig,
): Promise<Thread<D>> {
  const given: unknown = source ?? runOf(config)?.thread;
  const thread: unknown = await (typeof given === "function" ? given(config) : given);
  if (isThread<D>(thread)) return thread;
  throw new TypeError(
    `operation(config, update) found no thread: ${source === undefined ? "this run brings none" : `\`thread\` gave ${String(thread)}`}. Pass operation(config, update, { thread }), a Thread or a function (config) => Thread.`,
  );
}

function isVerdict(value: unknown): value is Verdict {
  return typeof value === "object" && value !== null && "accepted" in value;
}
