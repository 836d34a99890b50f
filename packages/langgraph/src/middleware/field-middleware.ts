// The middleware of an agent whose own field decides, without a thread.
//
// Invariants:
// - Before each model call, and when the run ends, every tool message has the verdict that the
//   field recorded.
// - A model call is shown the state that its messages lead to.
// - Each change by others is shown once: an edit by `graph.updateState`, or by another node of the
//   graph around the agent.
// - Nothing that the middleware shows enters the history.
// - What was submitted goes along when a tool hands over to another agent.

import { StateSchema } from "@langchain/langgraph";
import type { BaseMessage } from "@langchain/core/messages";
import { type ContextBudget, ContextPolicy, type Place, type Template } from "@opstate/agent";
import { defined, type AnyDefinition, type Snapshot } from "@opstate/core";
import { createMiddleware } from "langchain";
import * as z from "zod";
import { isFieldSnapshot, snapshotField } from "../fields/snapshot-field.ts";
import { configOf, type ActorSource } from "../thread/thread-source.ts";
import { LastSeen } from "../thread/last-seen.ts";
import { memoryKey } from "../thread/run-memory.ts";
import { fillInVerdicts } from "../tools/fill-in-verdicts.ts";
import { streamRewritten } from "../tools/stream-rewritten.ts";
import { answerDanglingCalls } from "./answer-dangling-calls.ts";
import { withThreadContext, type Narrow } from "./thread-context.ts";
import { beginMemory, endMemory, isFieldMemory, nextMemory, type FieldMemory } from "./field-memory.ts";
import { handOver } from "./hand-over.ts";
import { middlewareName } from "./middleware-name.ts";
import { addTraceMetadata } from "./trace-metadata.ts";
import { beganAfter, beganKey, checkMaxRefusals, endOnRepeats, type MaxRefusals } from "./repeat-breaker.ts";

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
   * whole (8,000), of the outline of a larger one (4,000), and of the changes by others (600).
   */
  readonly budget?: Partial<ContextBudget>;
  /**
   * Where the state is shown. Default "auto": a small state in a message at the end of each call; a
   * large one before the conversation, and what changed since at the end. So everything before the
   * last message can be cached. A field has no log, so the graph's checkpoints store that snapshot
   * beside the field. With "end" the whole state is at the end of each call, with "system" in the
   * system message, with "off" nowhere.
   */
  readonly place?: Place;
  /**
   * How the model learns which operations it can use now. Default "words": it reads them at the end
   * of the call, and the tools stay the same, so that they can be cached. "tools": it is offered
   * those tools alone. "off": it does not.
   */
  readonly narrow?: Narrow;
  /** Other words for the model. It gets what there is to say, and the usual words. */
  readonly template?: Template;
  /**
   * After so many refusals of one call for one reason the run ends, with a message that says why:
   * default 3. False: never.
   */
  readonly maxRefusals?: MaxRefusals;
}

export function fieldMiddleware(definition: AnyDefinition, options: FieldMiddlewareOptions) {
  const { field, actor, budget, place, narrow, template } = options;
  const maxRefusals = checkMaxRefusals(options.maxRefusals);
  const name = middlewareName(definition, options.name);
  const memory = memoryKey(name);
  const policy = new ContextPolicy({ definition, name, place, budget, template });
  // The types do not know the field's name, which is a value here. The caller types the result.
  const fields: Record<never, never> = {
    [field]: snapshotField(definition),
    [beganKey(name)]: z.custom<string>().optional(),
    [memory]: z.custom<FieldMemory>().optional(),
  };
  const lastSeen = new LastSeen<Snapshot>();
  /** The field, and what the middleware remembers. */
  const read = (state: object): { readonly snapshot: unknown; readonly past: FieldMemory | undefined } => {
    const { [field]: snapshot, [memory]: past }: Readonly<Record<string, unknown>> = { ...state };
    return { snapshot, past: isFieldMemory(past) ? past : undefined };
  };
  const fillIn = (state: { readonly messages: readonly BaseMessage[] }, runtime: object) => {
    const { [field]: snapshot }: Readonly<Record<string, unknown>> = { ...state };
    const messages = isFieldSnapshot(snapshot)
      ? fillInVerdicts({ definition, name, field }, snapshot, state.messages)
      : [];
    streamRewritten(messages, configOf(runtime));
    return messages.length === 0 ? undefined : { messages };
  };
  const trace = (snapshot: unknown, runtime: object): void =>
    addTraceMetadata(configOf(runtime), name, { version: isFieldSnapshot(snapshot) ? snapshot.version : undefined });

  return createMiddleware({
    name: `opstate_${name}`,
    stateSchema: new StateSchema(fields),
    beforeAgent(state, runtime) {
      const begun = beginMemory(read(state).past, lastSeen, configOf(runtime), field);
      return { [beganKey(name)]: beganAfter(state), ...defined({ [memory]: begun }) };
    },
    beforeModel: endOnRepeats({ name, most: maxRefusals }, (state, runtime) => {
      const { snapshot, past } = read(state);
      const next = isFieldSnapshot(snapshot) ? { [memory]: nextMemory(policy, past, snapshot, state) } : {};
      return { ...fillIn(state, runtime), ...next };
    }),
    async wrapModelCall(given, handler) {
      const request = await answerDanglingCalls(given, configOf(given.runtime));
      const { snapshot, past } = read(request.state);
      trace(snapshot, request.runtime);
      const withContext = await withThreadContext(definition, request, {
        policy,
        name,
        field,
        snapshot,
        digest: "",
        place,
        narrow,
        actor,
        view: past?.view,
      });
      const response = await handler(withContext);
      if (isFieldSnapshot(snapshot)) lastSeen.set(configOf(given.runtime), field, snapshot);
      return response;
    },
    wrapToolCall(request, handler) {
      const { snapshot } = read(request.state);
      trace(snapshot, request.runtime);
      return handOver(request, handler, () => {
        if (!isFieldSnapshot(snapshot)) return {};
        lastSeen.set(configOf(request.runtime), field, snapshot);
        return { [field]: snapshot };
      });
    },
    afterAgent(state, runtime) {
      const { snapshot, past } = read(state);
      if (!isFieldSnapshot(snapshot) || past === undefined) return fillIn(state, runtime);
      lastSeen.set(configOf(runtime), field, snapshot);
      return { ...fillIn(state, runtime), [memory]: endMemory(past, snapshot, state) };
    },
  });
}
