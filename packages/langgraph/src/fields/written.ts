// Which task writes an update to a field, noted while LangGraph parses the update in that task. A
// reducer runs outside of every task, and could not know.
//
// - A submission gets it as plain JSON, which survives a checkpoint's pending writes.
// - Any other update gets it under a symbol, so that what a graph streams is what its node wrote.

import { createHash } from "node:crypto";
import { getConfig } from "@langchain/langgraph";
import { defined } from "@opstate/core";

/** Plain JSON. */
export interface WrittenBy {
  /** The superstep of the task. */
  readonly step?: number;
  /** The subgraph that the task belongs to. Absent in the outermost graph. */
  readonly subgraph?: SubgraphCall;
  /** Set when the update is the input of that graph. */
  readonly isInput?: true;
}

/** One run of a subgraph. */
export interface SubgraphCall {
  /** The subgraph's namespace. A subgraph with checkpoints of its own has the same in each run. */
  readonly within: string;
  /** Another one in each run of the subgraph, and the same one when an interrupted run goes on. */
  readonly call: string;
}

const WRITTEN_BY: unique symbol = Symbol.for("opstate.written-by");

/** The running task. Undefined outside of a run. */
export function currentTask(): WrittenBy | undefined {
  const config = currentConfig();
  const task: unknown = config?.configurable?.["checkpoint_ns"];
  if (typeof task !== "string") return undefined;
  const step: unknown = config?.metadata?.["langgraph_step"];
  return defined({
    step: typeof step === "number" ? step : undefined,
    subgraph: subgraphOf(task, config?.configurable?.["checkpoint_map"]),
    isInput: config?.metadata?.["langgraph_node"] === "__start__" ? (true as const) : undefined,
  });
}

/** A task, and the superstep that it belongs to. */
export interface TaskOfStep {
  readonly step: string;
  readonly task: string;
  /** The checkpoint that the superstep began with. */
  readonly checkpoint: { readonly checkpoint_ns: string; readonly checkpoint_id: string };
}

/**
 * Where the running task's subgraph was called from: the superstep of the graph around it, and the
 * task there. Undefined in the outermost graph.
 */
export function callingTask(): TaskOfStep | undefined {
  const task = currentTask()?.subgraph?.within.replace(/\|\d+$/, "");
  return task === undefined ? undefined : taskOfStep(task);
}

/**
 * The names under which `callingTask` gives the running task to the subgraphs that it called. A
 * subgraph with checkpoints of its own does not know the id of the task.
 */
export function namesOfTask(): readonly TaskOfStep[] {
  const task: unknown = currentConfig()?.configurable?.["checkpoint_ns"];
  if (typeof task !== "string" || task === "") return [];
  return [taskOfStep(task), taskOfStep(task.replace(/:[^:|]*$/, ""))];
}

function taskOfStep(task: string): TaskOfStep {
  const around = parentNamespace(task) ?? "";
  const id = checkpointOf(currentConfig()?.configurable?.["checkpoint_map"], around);
  return { step: `${around} ${id}`, task, checkpoint: { checkpoint_ns: around, checkpoint_id: id } };
}

/** A copy of the update that knows who wrote it. It keeps its prototype. */
export function markWritten<U extends object>(update: U, by: WrittenBy): U {
  return Object.assign(Object.create(Object.getPrototypeOf(update)), update, { [WRITTEN_BY]: by });
}

/** Who wrote a marked update, and the update as it was written. */
export function readWritten(update: unknown): { readonly update: unknown; readonly by: WrittenBy | undefined } {
  if (typeof update !== "object" || update === null || !(WRITTEN_BY in update)) return { update, by: undefined };
  const { [WRITTEN_BY]: by, ...rest }: { [WRITTEN_BY]?: unknown } = update;
  return { update: rest, by: isWrittenBy(by) ? by : undefined };
}

/** Checks a note that may come from a checkpoint. */
export function isWrittenBy(value: unknown): value is WrittenBy {
  if (typeof value !== "object" || value === null) return false;
  const { step, subgraph }: { step?: unknown; subgraph?: unknown } = value;
  if (step !== undefined && typeof step !== "number") return false;
  return (
    subgraph === undefined ||
    (typeof subgraph === "object" &&
      subgraph !== null &&
      "within" in subgraph &&
      typeof subgraph.within === "string" &&
      "call" in subgraph &&
      typeof subgraph.call === "string")
  );
}

/** The namespace around that of a task or a subgraph. Undefined when it is the outermost graph. */
export function parentNamespace(namespace: string): string | undefined {
  const end = namespace.lastIndexOf("|");
  return end <= 0 ? undefined : namespace.slice(0, end);
}

/**
 * The subgraph of a task. The namespace has the id of the parent's task, unless the subgraph has
 * checkpoints of its own: then the parent's checkpoint distinguishes its runs.
 */
function subgraphOf(task: string, checkpoints: unknown): SubgraphCall | undefined {
  const within = parentNamespace(task);
  if (within === undefined) return undefined;
  const call = createHash("sha256").update(`${within} ${checkpointOf(checkpoints, parentNamespace(within) ?? "")}`);
  return { within, call: call.digest("hex").slice(0, 24) };
}

/** The id of the checkpoint that a graph's superstep began with, by the graph's namespace. */
function checkpointOf(checkpoints: unknown, namespace: string): string {
  const ids: Readonly<Record<string, unknown>> =
    typeof checkpoints === "object" && checkpoints !== null ? { ...checkpoints } : {};
  const id = ids[namespace];
  return typeof id === "string" ? id : "";
}

/** The config of the running task. Undefined outside of a run. */
export function currentConfig(): ReturnType<typeof getConfig> | undefined {
  try {
    return getConfig();
  } catch {
    // Outside of a run.
    return undefined;
  }
}
