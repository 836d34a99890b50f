// The middleware of an agent whose own field decides, without a thread.
//
// Invariants: before the model is called, and when the run ends, every tool message that waits has
// its verdict, as the field recorded it; a model call sees the state that its messages tell of;
// nothing of it enters the history.

import { StateSchema } from "@langchain/langgraph";
import type { BaseMessage } from "@langchain/core/messages";
import type { AnyDefinition } from "@opstate/core";
import { createMiddleware } from "langchain";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import type { ActorSource } from "../thread/thread-source.ts";
import { fillInVerdicts } from "../tools/fill-in-verdicts.ts";
import type { Place } from "./briefing.ts";
import { withThreadContext } from "./thread-context.ts";
import { middlewareName } from "./middleware-name.ts";

export interface FieldMiddlewareOptions<Field extends string = string> {
  readonly thread?: undefined;
  /** The field of the graph, which the middleware brings along. */
  readonly field: Field;
  /**
   * What the model reads the state as; the definition's name unless given. An agent with several
   * states of one definition names each.
   */
  readonly name?: string;
  /** Who the agent is: its tools narrow to what it may use. */
  readonly actor?: ActorSource;
  /** How much the model is told at most, in tokens of about 4 characters: the state (8,000). */
  readonly budget?: { readonly state?: number };
  /** Where the model is told: at the end of each call (the default), or in the system message. */
  readonly place?: Place;
}

export function fieldMiddleware(definition: AnyDefinition, options: FieldMiddlewareOptions) {
  const { field, actor, budget, place } = options;
  const name = middlewareName(definition, options.name);
  // The field's name is a value here: the types do not know it, and the result is typed as a whole.
  const fields: Record<never, never> = { [field]: snapshotField(definition) };
  const settled = (state: { readonly messages: readonly BaseMessage[] }) => {
    const { [field]: snapshot }: Readonly<Record<string, unknown>> = { ...state };
    const messages = isFieldSnapshot(snapshot)
      ? fillInVerdicts({ definition, name, field }, snapshot, state.messages)
      : [];
    return messages.length === 0 ? undefined : { messages };
  };

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),
    beforeModel: settled,
    wrapModelCall(request, handler) {
      const { [field]: snapshot }: Readonly<Record<string, unknown>> = request.state;
      return handler(
        withThreadContext(definition, request, {
          name,
          field,
          snapshot,
          digest: "",
          budget: budget?.state ?? 8000,
          place,
          actor,
        }),
      );
    },
    afterAgent: settled,
  });
}
