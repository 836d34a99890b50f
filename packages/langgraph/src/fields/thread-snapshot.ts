// A thread's snapshot on its way into a graph. A symbol marks it, so that no JSON can pass for one.
//
// A checkpoint's pending writes lose the mark. That is safe: the field ignores such a snapshot, and
// the next one replaces it.

import type { AnyDefinition, Snapshot, StateOf, Thread } from "@opstate/core";
import { storedAsVersion } from "./stored-as-version.ts";
import { currentSubgraph } from "./subgraph.ts";

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
    [FROM_THREAD]: currentSubgraph() ?? "",
  } as const;
  return options.checkpoint === "version" ? storedAsVersion(snapshot) : snapshot;
}

export function isThreadSnapshot<State>(value: unknown): value is ThreadSnapshot<State> {
  return typeof value === "object" && value !== null && FROM_THREAD in value && typeof value[FROM_THREAD] === "string";
}

/** The subgraph that the snapshot was made in. */
export function subgraphOfSnapshot(snapshot: ThreadSnapshot): string | undefined {
  return snapshot[FROM_THREAD] === "" ? undefined : snapshot[FROM_THREAD];
}
