// A field that a subgraph cleared is cleared in the graph around it.
//
//   parent    "done" ---------------------------- null -> clear(): null
//                 \                              /
//   subgraph       "done" -> clear(): null -> null       its result says null
//
// Null alone says nothing: an agent that never touched a field may return null, over what another
// one wrote meanwhile. So a clear is noted in the task that writes it, for the task around its
// graph, whose null is then read as a clear.
//
// Invariants:
// - What was written last in the subgraph counts: a value after a clear is no clear.
// - Nothing is noted of the outermost graph, which has no graph around it.
//
// LangGraph passes nothing but values from a subgraph to the graph around it. So the notes are the
// process's: fields of the same name in two schemas share them. A run that was interrupted may go
// on in another process, so a checkpointer keeps them, too (`kept-clears.ts`).

import { isClear } from "@opstate/core/definition";
import { clear } from "../clear.ts";
import { isResumed, keepClear, lastKept } from "./kept-clears.ts";
import { callingTask, namesOfTask, type TaskOfStep } from "../written.ts";

/** The oldest are forgotten: a note is read soon, when its subgraph ends. */
const MAX_NOTES = 10_000;

/** Whether the last update of a field was a clear, by the task around the subgraph. */
const notes = new Map<string, boolean>();

/**
 * The update that a task writes to the field `name`: a clear, where its subgraph cleared it in this
 * process.
 */
export function readClear(name: string, update: unknown): unknown {
  const read =
    update === null && namesOfTask().some((task) => notes.get(noteOf(task, name)) === true) ? clear() : update;
  note(name, read);
  return read;
}

/**
 * The same, for what `readClear` gave: a clear, where the subgraph cleared the field in another
 * process. It keeps a clear for other processes.
 */
export async function readKeptClear(name: string, update: unknown): Promise<unknown> {
  const read = update === null && (await wasClearedElsewhere(name)) ? readClear(name, clear()) : update;
  const caller = callerOf(read);
  // A value matters only after a clear, which another process may have kept.
  if (caller !== undefined && (isClear(read) || notes.has(noteOf(caller, name))))
    await keepClear(caller, name, isClear(read));
  return read;
}

function note(name: string, read: unknown): void {
  const caller = callerOf(read);
  if (caller === undefined) return;
  const key = noteOf(caller, name);
  const isKnown = notes.delete(key);
  if (isClear(read) || isKnown || isResumed()) notes.set(key, isClear(read));
  for (const oldest of notes.keys()) {
    if (notes.size <= MAX_NOTES) break;
    notes.delete(oldest);
  }
}

async function wasClearedElsewhere(name: string): Promise<boolean> {
  const tasks = namesOfTask();
  return isResumed() && !tasks.some((task) => notes.has(noteOf(task, name))) && (await lastKept(tasks, name)) === true;
}

/** The task around the graph of the running task, when it writes anything at all. */
function callerOf(update: unknown): TaskOfStep | undefined {
  return update === null || update === undefined ? undefined : callingTask();
}

function noteOf({ step, task }: TaskOfStep, name: string): string {
  return JSON.stringify([step, task, name]);
}
