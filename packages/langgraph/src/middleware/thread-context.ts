// Adds to a model call what the model needs to know, and narrows its tools to those it can use now.

import type { BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { AnyDefinition, Snapshot } from "@opstate/core";
import { configOf, resolveActor, type ActorSource } from "../thread/thread-source.ts";
import { OperationTool } from "../tools/operation-tool.ts";
import { brief, type Place } from "./briefing.ts";
import { offeredTools } from "./offered-tools.ts";

interface Request {
  readonly systemMessage: SystemMessage;
  readonly messages: BaseMessage[];
  readonly tools: readonly unknown[];
  readonly runtime: RunnableConfig;
}

interface Context {
  /** The state's name for the model. */
  readonly name: string;
  readonly field: string;
  /** The field's value. */
  readonly snapshot: unknown;
  readonly digest: string;
  readonly budget: number;
  readonly place: Place | undefined;
  readonly actor: ActorSource | undefined;
}

/**
 * The request with three changes: its system message says how to read the state, a trailing message
 * has the state and the changes, and its tools are narrowed.
 */
export function withThreadContext<R extends Request>(definition: AnyDefinition, request: R, context: Context): R {
  const { name, field, snapshot, digest, budget, place = "end", actor } = context;
  if (!isSnapshot(snapshot)) {
    throw new TypeError(
      `The graph's field "${field}" is not a snapshotField, which opstateMiddleware needs. Remove it from the agent's own stateSchema, or give opstateMiddleware another \`field\`.`,
    );
  }
  const { systemMessage, messages } = brief(request.systemMessage, { name, snapshot, digest, budget, place });
  const isOffered = offeredTools(definition, snapshot.state, resolveActor(actor, configOf(request.runtime)));
  const isManaged = (tool: unknown) => tool instanceof OperationTool && tool.worksOn({ definition, name, field });
  return {
    ...request,
    systemMessage,
    messages: [...request.messages, ...messages],
    tools: request.tools.filter((tool) => !isManaged(tool) || isOffered(tool)),
  };
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "version" in value && "state" in value;
}
