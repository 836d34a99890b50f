// One tool that submits one kind of update, to a thread or to the graph's field, and answers with
// the true verdict.
//
// Invariants: the verdict is that of whoever decides, never a guess from the state the step began
// with; one tool call has one effect; a refusal is an ordinary result (models loop on results
// marked as errors); arguments of any shape reach the engine.

import { DynamicStructuredTool } from "@langchain/core/tools";
import type { AnyDefinition, Thread } from "@opstate/core";
import * as z from "zod";
import { approvalOf, mustAsk } from "../approval/approval-options.ts";
import { resolveActor, type RunConfig } from "../thread/thread-source.ts";
import type { OpstateEvent } from "./event.ts";
import { submitToField, type FieldTarget } from "./submit-to-field.ts";
import { submitToThread, type ThreadTarget } from "./submit-to-thread.ts";

/** Where a tool's operations go: a thread, or without one the graph's field. */
export type ToolTarget<D extends AnyDefinition> = ThreadTarget<D> | (FieldTarget & { readonly thread?: undefined });

interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The operation's type, or `$replace`. */
  readonly operation: string;
  readonly update: (args: Readonly<Record<string, unknown>>) => { readonly type: string };
}

/** What LangGraph gives a tool beside the arguments. */
type ToolConfig = RunConfig & {
  readonly toolCall?: { readonly id?: string };
  readonly writer?: (event: OpstateEvent) => void;
};

/**
 * The middleware that keeps a state for an agent: of which definition, what it calls it, and in
 * which field.
 */
export interface Keeper {
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly field: string;
}

/** Submits a call; gives the message's content, or a command for the graph, and the artifact. */
export type Submit = (
  call: { readonly name: string; readonly args: unknown; readonly update: { readonly type: string } },
  config: ToolConfig,
) => Promise<readonly [content: unknown, artifact: unknown]>;

/**
 * A LangChain tool that knows which operation of which definition it submits, so that a middleware
 * can tell it from the others.
 */
export class OperationTool extends DynamicStructuredTool {
  readonly definition: AnyDefinition;
  readonly operation: string;
  /** The update that these arguments ask for. */
  readonly updateOf: (args: unknown) => { readonly type: string };
  /** Whether a call in this run interrupts the graph to ask somebody. */
  readonly interrupts: (thread: Thread, config: RunConfig) => boolean;
  /** Whether it works on the state that this middleware keeps. */
  readonly goesWith: (keeper: Keeper) => boolean;

  constructor(
    definition: AnyDefinition,
    spec: ToolSpec,
    submit: Submit,
    more: Pick<OperationTool, "interrupts" | "goesWith">,
  ) {
    const updateOf = (args: unknown) => spec.update(typeof args === "object" && args !== null ? { ...args } : {});
    super({
      name: spec.name,
      description: spec.description,
      schema: announced(spec.inputSchema),
      responseFormat: "content_and_artifact",
      func: (args, _manager, config) => submit({ name: spec.name, args, update: updateOf(args) }, config ?? {}),
    });
    this.definition = definition;
    this.operation = spec.operation;
    this.updateOf = updateOf;
    this.interrupts = more.interrupts;
    this.goesWith = more.goesWith;
  }
}

export function operationTool<D extends AnyDefinition>(
  definition: D,
  spec: ToolSpec,
  target: ToolTarget<D>,
): OperationTool {
  if (target.thread === undefined) {
    return new OperationTool(definition, spec, submitToField(definition, target), {
      interrupts: () => false,
      goesWith: (keeper) => keeper.definition === definition && keeper.field === target.field,
    });
  }
  const { ask, actor, middleware = definition.name } = target;
  return new OperationTool(definition, spec, submitToThread(definition, target), {
    interrupts: (thread, config) =>
      approvalOf(target, config) === "interrupt" &&
      mustAsk(definition, spec.operation, { ask, actor: resolveActor(actor, config), thread, config }),
    goesWith: (keeper) => keeper.definition === definition && keeper.name === middleware,
  });
}

/**
 * A schema that shows the model `json` and takes anything: LangChain answers arguments that break a
 * schema by itself, without the engine.
 */
function announced(json: Readonly<Record<string, unknown>>) {
  const schema = z.unknown();
  schema._zod.toJSONSchema = () => ({ ...json });
  return schema;
}
