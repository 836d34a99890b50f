// A thread's snapshot on its way into a graph. A symbol marks it, so that no JSON can pass for one.
//
// A checkpoint's pending writes lose the mark. That is safe: the field ignores such a snapshot
// without a report, since it was not edited, and the next one replaces it.

import type { AnyDefinition, Snapshot, StateOf, Thread } from "@opstate/core";
import type { FieldSnapshot } from "./snapshot-field.ts";
import { storedAsVersion } from "./stored-as-version.ts";
import { currentTask } from "./written.ts";

const FROM_THREAD: unique symbol = Symbol.for("opstate.thread-snapshot");

/** A snapshot that a `snapshotField` adopts. */
export interface ThreadSnapshot<State = unknown> extends Snapshot<State> {
  /** The namespace of the subgraph that it was made in, or "" for the outermost graph. */
  readonly [FROM_THREAD]: string;
}

/**
 * The thread's current snapshot, for a node to write to a `snapshotField` with the same options.
 */
export function snapshotOf<D extends AnyDefinition>(
  thread: Thread<D>,
  options: { readonly checkpoint?: "state" | "version" } = {},
): ThreadSnapshot<StateOf<D>> {
  const snapshot = {
    version: thread.version,
    state: thread.getState(),
    [FROM_THREAD]: currentTask()?.subgraph?.within ?? "",
  } as const;
  return options.checkpoint === "version" ? storedAsVersion(snapshot) : snapshot;
}

export function isThreadSnapshot<State>(value: unknown): value is ThreadSnapshot<State> {
  return typeof value === "object" && value !== null && FROM_THREAD in value && typeof value[FROM_THREAD] === "string";
}

/** Whether a value is a thread's snapshot that a checkpoint's pending writes gave back unmarked. */
export function isUnmarkedSnapshot(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return false;
  return (
    "version" in value && Number.isSafeInteger(value.version) && "state" in value && typeof value.state === "object"
  );
}

/** The subgraph that the snapshot was made in. */
export function subgraphOfSnapshot(snapshot: ThreadSnapshot): string | undefined {
  return snapshot[FROM_THREAD] === "" ? undefined : snapshot[FROM_THREAD];
}

/**
 * The value that a subgraph's field has when the subgraph ends with this snapshot: the parent's
 * field follows it. Undefined in the outermost graph, which has no parent.
 */
export function threadResult<State>(snapshot: ThreadSnapshot<State>): FieldSnapshot<State> | undefined {
  const within = subgraphOfSnapshot(snapshot);
  if (within === undefined) return undefined;
  const { [FROM_THREAD]: _, ...value } = snapshot;
  const result = { ...value, outcomes: {}, subgraph: { within, thread: true } } as const;
  return Object.assign(Object.create(Object.getPrototypeOf(snapshot)), result);
}
