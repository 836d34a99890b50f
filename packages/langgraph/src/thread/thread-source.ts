// Where a tool or a hook finds its thread: given once, or resolved for each run, since one compiled
// agent serves many threads.

import type { RunnableConfig } from "@langchain/core/runnables";
import { getConfig } from "@langchain/langgraph";
import type { Actor, AnyDefinition, Thread } from "@opstate/core";

/** The config of a run, as tools get it: with LangChain's `context`, where the run has one. */
export type RunConfig = RunnableConfig & { readonly context?: Readonly<Record<string, unknown>> };

/**
 * A thread, or how to find the one a run is about from its config (`config.configurable.thread_id`,
 * `config.context`, or what the caller put there).
 */
export type ThreadSource<D extends AnyDefinition = AnyDefinition> =
  | Thread<D>
  | ((config: RunConfig) => Thread<D> | Promise<Thread<D>>);

/**
 * Who the agent is towards its threads, the same for all runs or by run. Default: `{ kind: "agent",
 * id: "agent" }`.
 */
export type ActorSource = Actor | ((config: RunConfig) => Actor);

/** What `graphAgent` gives a graph, at `config.configurable.opstate`. */
export interface OpstateRun {
  readonly thread: Thread;
  /** The agent. */
  readonly actor: Actor;
  readonly runId: string;
  /** Who asked for the run. Whether he may approve is not said by that. */
  readonly requester: Actor;
}

/**
 * A hook's runtime as the whole config of its run. LangChain gives a hook of `context` only what
 * the middleware's own `contextSchema` names, and no metadata; tools get all of it, and both must
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

export function resolveActor(source: ActorSource | undefined, config: RunConfig): Actor {
  return typeof source === "function" ? source(config) : (source ?? runOf(config)?.actor ?? AGENT);
}

/** The actor to tell tools apart by before any run: what is given once, else the default. */
export function presumedActor(source: ActorSource | undefined): Actor | undefined {
  return typeof source === "function" ? undefined : (source ?? AGENT);
}

/** What `graphAgent` (or the caller) put at `configurable.opstate`. */
export function runOf(config: RunnableConfig): Partial<OpstateRun> | undefined {
  const run: unknown = config.configurable?.["opstate"];
  return typeof run === "object" && run !== null ? run : undefined;
}

/**
 * The thread that `graphAgent` runs the graph for: a `thread` for `operationTools` and
 * `opstateMiddleware` in a graph behind an AG-UI server. Any caller may pass it:
 * `graph.invoke(input, { configurable: { thread_id, opstate: { thread } } })`.
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

function isThread<D extends AnyDefinition>(value: unknown): value is Thread<D> {
  return typeof value === "object" && value !== null && "dispatch" in value && "definition" in value;
}
