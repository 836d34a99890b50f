// What a subgraph cleared (`cleared.ts`), kept in the checkpointer for another process.
//
//   process 1   child:7 -> clear(): null -> interrupt    kept beside the checkpoint that the
//                                                        superstep of child:7 began with
//   process 2   child:7 -> goes on ------> null          read there: a clear
//
// A note stands among the pending writes of that checkpoint, where LangGraph keeps answers, too. It
// has a task of its own, which no graph has, so LangGraph passes over it. It goes when the
// checkpoint goes.
//
// - A checkpointer does not replace a write, so each superstep of the subgraph has its own note.
// - Only a run that was resumed reads them.

import { createHash } from "node:crypto";
import { saverOf } from "../saver.ts";
import { currentConfig, currentTask, type TaskOfStep } from "../written.ts";

const CHANNEL = "__opstate_cleared__";

/** Plain JSON. */
interface KeptClear {
  readonly task: string;
  readonly name: string;
  /** The subgraph's superstep. */
  readonly step: number;
  /** False: a value followed. */
  readonly cleared: boolean;
}

/** Whether the running task's superstep began in an earlier run, which was interrupted. */
export function isResumed(): boolean {
  return currentConfig()?.configurable?.["__pregel_resuming"] === true;
}

/** Keeps whether the running task cleared the field `name`, for the `caller` of its graph. */
export async function keepClear({ task, checkpoint }: TaskOfStep, name: string, cleared: boolean): Promise<void> {
  const found = saverOf(currentConfig() ?? {});
  if (found === undefined) return;
  const kept: KeptClear = { task, name, step: currentTask()?.step ?? 0, cleared };
  const { saver, thread_id } = found;
  await saver.putWrites({ configurable: { thread_id, ...checkpoint } }, [[CHANNEL, kept]], idOf(kept));
}

/** Whether the last update of the field was a clear. Undefined when nothing is kept. */
export async function lastKept(tasks: readonly TaskOfStep[], name: string): Promise<boolean | undefined> {
  const [{ checkpoint } = {}] = tasks;
  const found = saverOf(currentConfig() ?? {});
  if (found === undefined || checkpoint === undefined) return undefined;
  const { saver, thread_id } = found;
  const { pendingWrites = [] } = (await saver.getTuple({ configurable: { thread_id, ...checkpoint } })) ?? {};
  const kept = pendingWrites.flatMap(([, channel, value]) => (channel === CHANNEL && isKept(value) ? [value] : []));
  return kept
    .filter((clear) => clear.name === name && tasks.some(({ task }) => task === clear.task))
    .reduce<KeptClear | undefined>((last, clear) => (isLater(clear, last) ? clear : last), undefined)?.cleared;
}

/** Of two in one superstep the value counts. */
function isLater({ step, cleared }: KeptClear, last: KeptClear | undefined): boolean {
  return last === undefined || step > last.step || (step === last.step && !cleared);
}

/** An id in the form of LangGraph's, which a checkpointer may ask for. */
function idOf(kept: KeptClear): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([CHANNEL, kept]))
    .digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

function isKept(value: unknown): value is KeptClear {
  if (typeof value !== "object" || value === null) return false;
  const { task, name, step, cleared }: { readonly [Key in keyof KeptClear]?: unknown } = value;
  return (
    typeof task === "string" && typeof name === "string" && typeof step === "number" && typeof cleared === "boolean"
  );
}
