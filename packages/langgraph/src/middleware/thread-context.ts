// Adds to a model call what the model needs to know, and says or narrows what it can use now.

import type { BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { type ContextPolicy, legalNow, type Place, type StateBase, type StateView } from "@opstate/agent";
import type { Actor, AnyDefinition, Snapshot, Thread } from "@opstate/core";
import { configOf, resolveActor, type ActorSource } from "../thread/thread-source.ts";
import { OperationTool } from "../tools/operation-tool.ts";
import { brief, resultsIn } from "./briefing.ts";
import { offeredTools } from "./offered-tools.ts";

/**
 * How the model learns which operations it can use now:
 *
 * - `"words"`: it reads them at the end of the call. The list of tools depends on the actor alone,
 *   so that it can be cached.
 * - `"tools"`: it is offered those tools alone.
 * - `"off"`: not before it tries.
 */
export type Narrow = "words" | "tools" | "off";

interface Request {
  readonly systemMessage: SystemMessage;
  readonly messages: BaseMessage[];
  readonly tools: readonly unknown[];
  readonly runtime: RunnableConfig;
}

interface Context {
  readonly policy: ContextPolicy;
  /** The state's name for the model. */
  readonly name: string;
  readonly field: string;
  /** The field's value. */
  readonly snapshot: unknown;
  /** The version that the model saw and answered. */
  readonly known?: number | undefined;
  readonly digest: string;
  readonly place: Place | undefined;
  readonly narrow: Narrow | undefined;
  readonly actor: ActorSource | undefined;
  /** With a base: the thread that it is of. */
  readonly thread?: Thread | undefined;
  readonly base?: StateBase | undefined;
  /** Without a thread: what the model was shown of the field. */
  readonly view?: StateView | undefined;
}

/** The request with the words of the policy, and with the tools that it may be offered. */
export async function withThreadContext<R extends Request>(
  definition: AnyDefinition,
  request: R,
  context: Context,
): Promise<R> {
  const { policy, name, field, snapshot, digest, thread, base, view, place, narrow = "words" } = context;
  if (!isSnapshot(snapshot)) {
    throw new TypeError(
      `The graph's field "${field}" is not a snapshotField, which opstateMiddleware needs. Remove it from the agent's own stateSchema, or give opstateMiddleware another \`field\`.`,
    );
  }
  const actor = resolveActor(context.actor, configOf(request.runtime));
  const isManaged = (tool: unknown): tool is OperationTool =>
    tool instanceof OperationTool && tool.worksOn({ definition, name, field });
  const isOffered = offeredTools(definition, narrow === "tools" ? snapshot.state : undefined, actor);
  const tools = narrow === "off" ? request.tools : request.tools.filter((tool) => !isManaged(tool) || isOffered(tool));
  const words = await policy.words({
    snapshot,
    known: context.known ?? snapshot.version,
    digest,
    legal: narrow === "words" ? legalOf(definition, tools.filter(isManaged), snapshot.state, actor) : "",
    actor,
    results: resultsIn(request.messages),
    thread,
    base,
    view,
  });
  return { ...request, ...brief(request, words, { inSystem: place === "system" }), tools };
}

function legalOf(definition: AnyDefinition, tools: readonly OperationTool[], current: unknown, actor: Actor): string {
  const names = new Map(tools.map(({ operation, name }) => [operation, name]));
  return names.size === 0 ? "" : legalNow(definition, { current: current ?? null, actor, names });
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "version" in value && "state" in value;
}
