// How a tool or a hook finds its thread: given once, or resolved for each run, because one compiled
// agent serves many threads.

import type { RunnableConfig } from "@langchain/core/runnables";
import { getConfig } from "@langchain/langgraph";
import { connectionOf } from "@opstate/agent";
import type { Actor, AnyDefinition, Thread } from "@opstate/core";

/** The config of a run as tools get it, with LangChain's `context` if the run has one. */
export type RunConfig = RunnableConfig & { readonly context?: Readonly<Record<string, unknown>> };

/**
 * A thread, or a function that finds the thread of a run in the run's config
 * (`config.configurable.thread_id`, `config.context`, or what the caller put there).
 */
export type ThreadSource<D extends AnyDefinition = AnyDefinition> =
  | Thread<D>
  | ((config: RunConfig) => Thread<D> | Promise<Thread<D>>);

/**
 * The actor that the agent is in its threads: one for all runs, or a function of the run's config.
 * Default: that of the connection, where the thread is a `remoteThread`; else `{ kind: "agent", id:
 * "agent" }`.
 */
export type ActorSource = Actor | ((config: RunConfig) => Actor);

/** What `graphAgent` passes to a graph, at `config.configurable.opstate`. */
export interface OpstateRun {
  readonly thread: Thread;
  /** The agent itself. */
  readonly actor: Actor;
  readonly runId: string;
  /** Who requested the run. This does not say whether they may approve. */
  readonly requester: Actor;
}

/**
 * The whole config of the run, for a hook. LangChain passes a hook only the part of `context` that
 * the middleware's own `contextSchema` names, and no metadata. Tools get all of it, and both must
 * find the same thread.
 */
export function configOf(runtime: object): RunConfig {
  const config: RunConfig | undefined = getConfig();
  return { ...runtime, ...config };
}

const AGENT: Actor = { kind: "agent", id: "agent" };

export async function resolveThread<D extends AnyDefinition>(
  source: ThreadSource<D>,
  definition: D,
  config: RunConfig,
): Promise<Thread<D>> {
  const thread: unknown = await (typeof source === "function" ? source(config) : source);
  if (isThread<D>(thread) && thread.definition.name === definition.name) return thread;
  const found = isThread(thread) ? `a thread of "${thread.definition.name}"` : String(thread);
  throw new TypeError(
    `The thread of "${definition.name}" was not found: \`thread\` gave ${found}. It must be a Thread of "${definition.name}", or a function (config) => Thread.`,
  );
}

/** On a connection to a server the default is its actor: it can do nothing as another one. */
export function resolveActor(source: ActorSource | undefined, config: RunConfig, thread?: object): Actor {
  if (typeof source === "function") return source(config);
  return source ?? connectionOf(thread)?.actor ?? runOf(config)?.actor ?? AGENT;
}

/**
 * The actor before any run, for choosing tools. Undefined when only a run's config, or the
 * connection of its thread, says it.
 */
export function presumedActor(source: ActorSource | undefined, thread?: unknown): Actor | undefined {
  if (typeof source === "function") return undefined;
  return source ?? connectionOf(thread)?.actor ?? AGENT;
}

/** What `graphAgent`, or the caller, put at `configurable.opstate`. */
export function runOf(config: RunnableConfig): Partial<OpstateRun> | undefined {
  const run: unknown = config.configurable?.["opstate"];
  return typeof run === "object" && run !== null ? run : undefined;
}

/**
 * The thread that `graphAgent` runs the graph for. Pass it as `thread` to `operationTools` and
 * `opstateMiddleware` in a graph behind an AG-UI server. Other callers pass the thread with the
 * run: `graph.invoke(input, { configurable: { thread_id, opstate: { thread } } })`.
 */
export function threadOfRun<D extends AnyDefinition>(definition: D): (config: RunnableConfig) => Thread<D> {
  return (config) => {
    const thread = runOf(config)?.thread;
    if (isThread<D>(thread) && thread.definition.name === definition.name) return thread;
    throw new TypeError(
      `This run has no thread of "${definition.name}". Run the graph through graphAgent, or pass { configurable: { opstate: { thread } } }.`,
    );
  };
}

export function isThread<D extends AnyDefinition>(value: unknown): value is Thread<D> {
  return typeof value === "object" && value !== null && "dispatch" in value && "definition" in value;
}
