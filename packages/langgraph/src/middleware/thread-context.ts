// A model call with what the model needs to know, and the tools that it can use now.

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

interface Known {
  /** What the state is called. */
  readonly name: string;
  readonly field: string;
  /** What the field holds. */
  readonly snapshot: unknown;
  readonly digest: string;
  readonly budget: number;
  readonly place: Place | undefined;
  readonly actor: ActorSource | undefined;
}

/**
 * The request with how to read the state in its system message, the state and the news as its last
 * message, and its tools narrowed.
 */
export function withThreadContext<R extends Request>(definition: AnyDefinition, request: R, known: Known): R {
  const { name, field, snapshot, digest, budget, place = "end", actor } = known;
  if (!isSnapshot(snapshot)) {
    throw new TypeError(
      `The graph's field "${field}" is no snapshotField. Leave it out of the agent's own stateSchema, or give opstateMiddleware another \`field\`.`,
    );
  }
  const { systemMessage, messages } = brief(request.systemMessage, { name, snapshot, digest, budget, place });
  const isOffered = offeredTools(definition, snapshot.state, resolveActor(actor, configOf(request.runtime)));
  const isOurs = (tool: unknown) => tool instanceof OperationTool && tool.goesWith({ definition, name, field });
  return {
    ...request,
    systemMessage,
    messages: [...request.messages, ...messages],
    tools: request.tools.filter((tool) => !isOurs(tool) || isOffered(tool)),
  };
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "version" in value && "state" in value;
}
