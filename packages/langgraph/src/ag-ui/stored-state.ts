// What a graph's checkpointer has of a conversation: messages, open interrupts, and who wrote what.

import { BaseMessage } from "@langchain/core/messages";
import type { Checkpoint } from "./continued-run.ts";
import { type GraphInterrupt, interruptsIn } from "./interrupts.ts";

/** What `graphAgent` runs: a compiled `StateGraph`, or an agent of `createAgent`. */
export interface RunnableGraph {
  stream(input: unknown, options?: object): Promise<AsyncIterable<unknown>>;
  getState?(config: object, options?: { readonly subgraphs: boolean }): Promise<unknown>;
  getStateHistory?(config: object): AsyncIterable<unknown>;
  readonly checkpointer?: unknown;
  /** What `withConfig` gave it. */
  readonly config?: { readonly recursionLimit?: unknown };
  /** The compiled graph inside an agent of `createAgent`. */
  readonly graph?: Pick<RunnableGraph, "checkpointer" | "config">;
}

export interface Stored extends Checkpoint {
  readonly messages: BaseMessage[];
  /** With those of subgraphs that have not ended, where they were asked for. */
  readonly all: BaseMessage[];
  readonly waiting: GraphInterrupt[];
}

/** What the graph's last checkpoint says; nothing without a checkpointer. */
export async function storedIn(graph: RunnableGraph, config: object, subgraphs: boolean): Promise<Stored> {
  if (!(graph.checkpointer ?? graph.graph?.checkpointer) || graph.getState === undefined)
    return { messages: [], all: [], waiting: [], next: [] };
  const state = await graph.getState(config, { subgraphs });
  const { values, tasks: given } = fieldsOf(state);
  const tasks: readonly unknown[] = Array.isArray(given) ? given : [];
  const waiting = tasks.flatMap((task) => interruptsIn(fieldsOf(task)["interrupts"]));
  // Not the state's `next`: that leaves out a task whose result is stored, and whose step is not.
  return { messages: messagesIn(values), all: allMessagesIn(state), waiting, next: tasks };
}

/** By the id of each message that is new since the last request: the node that wrote it. */
export async function writersIn(
  graph: RunnableGraph,
  config: object,
  { messages }: Stored,
): Promise<ReadonlyMap<string | undefined, string>> {
  const request = messages.findLast(({ type }) => type === "human");
  const writers = new Map<string | undefined, string>();
  // The newest first.
  for await (const state of graph.getStateHistory?.(config) ?? []) {
    const { values, tasks } = fieldsOf(state);
    for (const { name, result } of (Array.isArray(tasks) ? tasks : []).map(fieldsOf))
      for (const { id } of messagesIn(result)) writers.set(id, String(name));
    if (!messagesIn(values).some(({ id }) => id === request?.id)) break;
  }
  return writers;
}

/** The messages of a state, and after them those of the states of its subgraphs, each once. */
function allMessagesIn(state: unknown): BaseMessage[] {
  const { values, tasks } = fieldsOf(state);
  const own = messagesIn(values);
  const ids = new Set(own.map(({ id }) => id));
  const inner = (Array.isArray(tasks) ? tasks : []).flatMap((task) => allMessagesIn(fieldsOf(task)["state"]));
  return [...own, ...inner.filter(({ id }) => !ids.has(id))];
}

/** The messages among the fields of a state or an update. */
export function messagesIn(value: unknown): BaseMessage[] {
  if (Array.isArray(value)) return value.flatMap(messagesIn);
  return Object.values(fieldsOf(value))
    .flat()
    .filter((item) => BaseMessage.isInstance(item));
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
