// The middleware of an agent whose own field decides, without a thread.
//
// Invariants:
// - Before each model call, and when the run ends, every tool message has the verdict that the
//   field recorded.
// - A model call is shown the state that its messages lead to.
// - Nothing that the middleware shows enters the history.
// - What was submitted goes along when a tool hands over to another agent.

import { StateSchema } from "@langchain/langgraph";
import type { BaseMessage } from "@langchain/core/messages";
import { type ContextBudget, ContextPolicy, type Place, type Template } from "@opstate/agent";
import type { AnyDefinition } from "@opstate/core";
import { createMiddleware } from "langchain";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { configOf, type ActorSource } from "../thread/thread-source.ts";
import { fillInVerdicts } from "../tools/fill-in-verdicts.ts";
import { answerDanglingCalls } from "./answer-dangling-calls.ts";
import { withThreadContext, type Narrow } from "./thread-context.ts";
import { handOver } from "./hand-over.ts";
import { middlewareName } from "./middleware-name.ts";

export interface FieldMiddlewareOptions<Field extends string = string> {
  readonly thread?: undefined;
  /** The graph's field. The middleware adds it to the agent's state. */
  readonly field: Field;
  /**
   * The state's name for the model. Default: the definition's name. An agent with several states of
   * one definition names each.
   */
  readonly name?: string;
  /** The actor that the agent is. It is offered only the tools that it may use. */
  readonly actor?: ActorSource;
  /**
   * The most that the model is shown, in tokens of about 4 characters: of a state that is shown
   * whole (8,000), and of the outline of a larger one (4,000).
   */
  readonly budget?: Pick<Partial<ContextBudget>, "state" | "outline">;
  /**
   * Where the state is shown: at the end of each call (the default, "auto" or "end"), in the system
   * message, or nowhere ("off"). A field has no log, so that a large state too is shown anew with
   * each call: a thread's is not.
   */
  readonly place?: Place;
  /**
   * How the model learns which operations it can use now. Default "words": it is told at the end of
   * the call, and the tools stay the same, so that they can be cached. "tools": it is offered those
   * tools alone. "off": it is not told.
   */
  readonly narrow?: Narrow;
  /** Other words for the model. It gets what there is to say, and the usual words. */
  readonly template?: Template;
}

export function fieldMiddleware(definition: AnyDefinition, options: FieldMiddlewareOptions) {
  const { field, actor, budget, place, narrow, template } = options;
  const name = middlewareName(definition, options.name);
  const policy = new ContextPolicy({ definition, name, place, budget, template });
  // The types do not know the field's name, which is a value here. The caller types the result.
  const fields: Record<never, never> = { [field]: snapshotField(definition) };
  const fillIn = (state: { readonly messages: readonly BaseMessage[] }) => {
    const { [field]: snapshot }: Readonly<Record<string, unknown>> = { ...state };
    const messages = isFieldSnapshot(snapshot)
      ? fillInVerdicts({ definition, name, field }, snapshot, state.messages)
      : [];
    return messages.length === 0 ? undefined : { messages };
  };

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),
    beforeModel: fillIn,
    async wrapModelCall(asked, handler) {
      const request = await answerDanglingCalls(asked, configOf(asked.runtime));
      const { [field]: snapshot }: Readonly<Record<string, unknown>> = request.state;
      return handler(
        await withThreadContext(definition, request, {
          policy,
          name,
          field,
          snapshot,
          digest: "",
          place,
          narrow,
          actor,
        }),
      );
    },
    wrapToolCall(request, handler) {
      const { [field]: snapshot }: Readonly<Record<string, unknown>> = request.state;
      return handOver(request, handler, () => (isFieldSnapshot(snapshot) ? { [field]: snapshot } : {}));
    },
    afterAgent: fillIn,
  });
}
