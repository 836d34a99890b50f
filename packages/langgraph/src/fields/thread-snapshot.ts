// A thread's snapshot on its way into a graph, marked so that no JSON can pass for one: JSON has no
// symbols.
//
// The mark is lost in a checkpoint's pending writes. That is safe: the snapshot is then ignored,
// and the next sync brings a new one.

import type { AnyDefinition, Snapshot, StateOf, Thread } from "@opstate/core";
import { storedAsVersion } from "./stored-as-version.ts";
import { subgraphNow } from "./subgraph.ts";

const fromThread: unique symbol = Symbol.for("opstate.thread-snapshot");

/** A snapshot that a `snapshotField` takes as the truth. */
export interface ThreadSnapshot<State = unknown> extends Snapshot<State> {
  /** The namespace of the subgraph that it was made in; "" in the outermost graph. */
  readonly [fromThread]: string;
}

/** The thread's present snapshot, for a node to write to a `snapshotField` of the same options. */
export function snapshotOf<D extends AnyDefinition>(
  thread: Thread<D>,
  options: { readonly checkpoint?: "state" | "version" } = {},
): ThreadSnapshot<StateOf<D>> {
  const snapshot = { version: thread.version, state: thread.getState(), [fromThread]: subgraphNow() ?? "" } as const;
  return options.checkpoint === "version" ? storedAsVersion(snapshot) : snapshot;
}

export function isThreadSnapshot<State>(value: unknown): value is ThreadSnapshot<State> {
  return typeof value === "object" && value !== null && fromThread in value && typeof value[fromThread] === "string";
}

/** The subgraph that the snapshot was made in. */
export function writtenIn(snapshot: ThreadSnapshot): string | undefined {
  return snapshot[fromThread] === "" ? undefined : snapshot[fromThread];
}
