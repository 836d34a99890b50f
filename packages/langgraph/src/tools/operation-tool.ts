// One tool that submits one kind of update, to a thread or to the graph's field, and answers with
// the true verdict.
//
// How a tool call becomes a verdict:
//
//                        +-- thread: dispatch or propose, await the verdict ----+
//   args --> update -----+                                                      +--> tool message
//   (any shape)  id      +-- field: folded with the step's other calls,     ----+
//                            filled in before the next model call
//
// Invariants:
// - The thread or the field decides. A verdict is never a guess from the state at the step's start.
// - One tool call has one effect.
// - A refusal is an ordinary result, because models repeat calls whose results are errors.
// - Arguments of any shape reach the engine.

import { DynamicStructuredTool } from "@langchain/core/tools";
import type { AnyDefinition, AnyOperation, Thread } from "@opstate/core";
import { approvalOf, needsApproval } from "../approval/approval-options.ts";
import { resolveActor, type RunConfig } from "../thread/thread-source.ts";
import type { StreamedVerdict } from "./streamed-verdict.ts";
import { recallFromField, recallFromThread } from "./recall.ts";
import { shownSchema } from "./shown-schema.ts";
import { submitToField, type FieldTarget } from "./submit-to-field.ts";
import { submitToThread, type ThreadTarget } from "./submit-to-thread.ts";

/** Where a tool's operations go: to a thread, or to the graph's field. */
export type ToolTarget<D extends AnyDefinition> = ThreadTarget<D> | (FieldTarget & { readonly thread?: undefined });

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The operation's type, or `$replace`. */
  readonly operation: string;
  readonly update: (args: Readonly<Record<string, unknown>>) => AnyOperation;
}

/** What LangGraph passes to a tool beside the arguments. */
type ToolConfig = RunConfig & {
  readonly toolCall?: { readonly id?: string };
  readonly writer?: (event: StreamedVerdict) => void;
};

/** The state that a middleware manages: its definition, its name for the model, and its field. */
export interface ManagedState {
  readonly definition: AnyDefinition;
  readonly name: string;
  readonly field: string;
}

/** Submits a call. Returns the message's content, or a command for the graph, and the artifact. */
export type Submit = (
  call: {
    readonly name: string;
    readonly args: unknown;
    /** What a person who decides sees and may edit, where that is not `args`. */
    readonly requested?: unknown;
    readonly update: AnyOperation;
    readonly spec: ToolSpec;
    /** The update is the `nth` of a tool of the developer's own, which gets the whole verdict. */
    readonly nth?: number;
  },
  config: ToolConfig,
) => Promise<readonly [content: unknown, artifact: unknown]>;

/** A call that has no tool message. */
export interface LostCall {
  /** The id of its AI message. */
  readonly message: string;
  readonly id: string;
  readonly update: AnyOperation;
}

/** What became of a call: the content and the artifact of the message that answers it. */
export type Recall = (
  call: LostCall,
  run: { readonly config: RunConfig; readonly state: Readonly<Record<string, unknown>> },
) => Promise<readonly [content: string, artifact: unknown]>;

/**
 * A LangChain tool that knows its definition and its operation. Middleware recognizes its own tools
 * by them.
 */
export class OperationTool extends DynamicStructuredTool {
  readonly definition: AnyDefinition;
  readonly operation: string;
  /** The update for these arguments. */
  readonly updateOf: (args: unknown) => AnyOperation;
  /** Whether a call in this run interrupts the graph to ask a person. */
  readonly interrupts: (thread: Thread, config: RunConfig) => boolean;
  /** Whether the tool works on the state that a middleware manages. */
  readonly worksOn: (managed: ManagedState) => boolean;
  /** What became of a call whose result got lost. It carries nothing out. */
  readonly recall: Recall;

  constructor(
    definition: AnyDefinition,
    spec: ToolSpec,
    submit: Submit,
    more: Pick<OperationTool, "interrupts" | "worksOn" | "recall">,
  ) {
    const updateOf = (args: unknown) => spec.update(typeof args === "object" && args !== null ? { ...args } : {});
    super({
      name: spec.name,
      description: spec.description,
      schema: shownSchema(spec.inputSchema),
      responseFormat: "content_and_artifact",
      func: (args, _manager, config) => submit({ name: spec.name, args, update: updateOf(args), spec }, config ?? {}),
    });
    this.definition = definition;
    this.operation = spec.operation;
    this.updateOf = updateOf;
    this.interrupts = more.interrupts;
    this.worksOn = more.worksOn;
    this.recall = more.recall;
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
      worksOn: (managed) => managed.definition === definition && managed.field === target.field,
      recall: recallFromField(definition, target),
    });
  }
  const { ask, actor, middleware = definition.name } = target;
  return new OperationTool(definition, spec, submitToThread(definition, target), {
    interrupts: (thread, config) =>
      approvalOf(target, config) === "interrupt" &&
      needsApproval(definition, spec.operation, { ask, actor: resolveActor(actor, config, thread), thread, config }),
    worksOn: (managed) => managed.definition === definition && managed.name === middleware,
    recall: recallFromThread(definition, spec, target),
  });
}
