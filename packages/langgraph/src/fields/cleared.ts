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
// The notes are the process's: fields of the same name in two schemas share them, and LangGraph
// passes nothing but values from a subgraph to the graph around it. A run that is interrupted after
// a clear, and goes on in another process, has no note: the graph around it keeps its value.

import { isClear } from "@opstate/core/definition";
import { clear } from "./clear.ts";
import { callingTask, namesOfTask } from "./written.ts";

/** The oldest are forgotten: a note is read soon, when its subgraph ends. */
const MAX_NOTES = 10_000;

const notes = new Set<string>();

/** The update that a task writes to the field `name`: a clear, where its subgraph cleared it. */
export function readClear(name: string, update: unknown): unknown {
  const read = update === null && namesOfTask().some((task) => notes.has(noteOf(task, name))) ? clear() : update;
  const caller = read === null || read === undefined ? undefined : callingTask();
  if (caller === undefined) return read;
  const note = noteOf(`${caller.step} ${caller.task}`, name);
  notes.delete(note);
  if (isClear(read)) notes.add(note);
  for (const oldest of notes) {
    if (notes.size <= MAX_NOTES) break;
    notes.delete(oldest);
  }
  return read;
}

function noteOf(task: string, name: string): string {
  return JSON.stringify([task, name]);
}
