// Runs of one conversation, one after the other, for graphs that are started by hand. LangGraph
// starts such runs side by side: both begin with the same checkpoint, and the messages of the run
// that ends first are lost.
//
// Invariants:
// - The order is the order of the calls.
// - A run that fails, is aborted or is no longer read lets the next run begin.
// - A run whose signal is aborted while it waits never begins.

import { RunQueue } from "@opstate/core/run-queue";

interface RunConfig {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The part of a graph, or of an agent, that starts runs. */
export interface Runs<Input, Config, Result, Chunks> {
  invoke(input: Input, config?: Config): Promise<Result>;
  stream(input: Input, config?: Config): Promise<Chunks>;
}

/**
 * A compiled graph or an agent whose runs on one `thread_id` wait for each other, in this process.
 * Edits do not wait: a person's edits go to the thread at any time. `@opstate/server` queues the
 * runs of its own agents, so they need no `queueRuns`.
 *
 * @example
 * ```ts
 * import {
 *   MemorySaver,
 *   MessagesValue,
 *   START,
 *   StateGraph,
 *   StateSchema,
 * } from "@langchain/langgraph";
 * import { queueRuns } from "@opstate/langgraph";
 *
 * const graph = new StateGraph(new StateSchema({ messages: MessagesValue }))
 *   .addNode("echo", (state) => ({ messages: `${state.messages.length}` }))
 *   .addEdge(START, "echo")
 *   .compile({ checkpointer: new MemorySaver() });
 *
 * const runs = queueRuns(graph);
 * const config = { configurable: { thread_id: "demo" } };
 * const [, second] = await Promise.all([
 *   runs.invoke({ messages: "a" }, config),
 *   runs.invoke({ messages: "b" }, config),
 * ]);
 * second.messages.map(({ text }) => text); // ["a", "1", "b", "3"]
 * ```
 */
export function queueRuns<G extends Runs<never, never, unknown, AsyncIterable<unknown>>>(
  graph: G,
): Pick<G, "invoke" | "stream"> {
  const queue = new RunQueue();
  const target = graph as unknown as Runs<unknown, RunConfig, unknown, AsyncIterable<unknown>>;

  /** Waits for the run's turn; returns what ends it. */
  async function turn(config: RunConfig | undefined): Promise<() => void> {
    const id = config?.configurable?.["thread_id"];
    if (typeof id !== "string") return () => undefined;
    const end = await queue.turn(id);
    if (config?.signal?.aborted !== true) return end;
    end();
    throw config.signal.reason;
  }

  const runs = {
    async invoke(input: unknown, config?: RunConfig): Promise<unknown> {
      const end = await turn(config);
      try {
        return await target.invoke(input, config);
      } finally {
        end();
      }
    },
    async stream(input: unknown, config?: RunConfig): Promise<AsyncIterable<unknown>> {
      const end = await turn(config);
      try {
        return readToEnd(await target.stream(input, config), end);
      } catch (error) {
        end();
        throw error;
      }
    },
  };
  return runs;
}

async function* readToEnd(chunks: AsyncIterable<unknown>, end: () => void): AsyncGenerator<unknown, void> {
  try {
    yield* chunks;
  } finally {
    end();
  }
}
