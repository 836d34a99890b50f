// A model call with what the model needs to know, and the tools that it can use now.

import { SystemMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { AnyDefinition, Snapshot } from "@opstate/core";
import { resolveActor, type ActorSource } from "../thread/thread-source.ts";
import { briefing } from "./briefing.ts";
import { offeredTools } from "./offered-tools.ts";

interface Request {
  readonly systemMessage: SystemMessage;
  readonly tools: readonly unknown[];
  readonly runtime: RunnableConfig;
}

interface Known {
  readonly field: string;
  /** What the field holds. */
  readonly snapshot: unknown;
  readonly digest: string;
  readonly budget: number;
  readonly actor: ActorSource | undefined;
}

/** The request with the state and the news in its system message, and its tools narrowed. */
export function informed<R extends Request>(definition: AnyDefinition, request: R, { field, snapshot, digest, budget, actor }: Known): R {
  if (!isSnapshot(snapshot)) {
    throw new TypeError(
      `The graph's field "${field}" is no snapshotField. Leave it out of the agent's own stateSchema, or give opstateMiddleware another \`field\`.`,
    );
  }
  const text = briefing(definition, snapshot, digest, budget);
  return {
    ...request,
    systemMessage: request.systemMessage.text === "" ? new SystemMessage(text) : request.systemMessage.concat(`\n\n${text}`),
    tools: request.tools.filter(offeredTools(definition, snapshot.state, resolveActor(actor, request.runtime))),
  };
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "version" in value && "state" in value;
}
