// The changes of a branch as a live list. Loaded when it is first used.
//
// Invariants:
// - There is one read at a time.
// - A commit that arrives while a read is under way leads to another read, so the list is never
//   older than the commits that were received.

import type { AnyOperation } from "@opstate/core";
import { createSource, RefCount } from "@opstate/core/readable";
import type { BranchChange } from "@opstate/core/thread";
import type { CommitSource } from "../commit-source.ts";
import type { BranchChanges, BranchChangesState } from "../client-thread.ts";

export interface BranchChangesSource<Operation = AnyOperation> {
  /** The branch, and the thread that it is a branch of. */
  readonly threads: readonly CommitSource<Operation>[];
  diff(): Promise<readonly BranchChange<Operation>[]>;
}

export function createBranchChanges<Operation>({
  threads,
  diff,
}: BranchChangesSource<Operation>): BranchChanges<Operation> {
  const state = createSource<BranchChangesState<Operation>>({ changes: [], loading: true });
  const refCount = new RefCount(start, stop);
  let ends: readonly (() => void)[] | undefined;
  let working: Promise<void> | undefined;
  let isOutdated = false;

  function refresh(): Promise<void> {
    isOutdated = true;
    working ??= work();
    return working;
  }

  async function work(): Promise<void> {
    // A read may begin while listeners are notified. Its own notification comes after that one.
    await Promise.resolve();
    const before = state.getState();
    if (!before.loading || "error" in before) state.set({ changes: before.changes, loading: true })();
    try {
      while (isOutdated) {
        isOutdated = false;
        const changes = await diff();
        if (!isOutdated) working = undefined;
        state.set({ changes, loading: isOutdated })();
      }
    } catch (error) {
      [working, isOutdated] = [undefined, false];
      state.set({ changes: state.getState().changes, loading: false, error })();
    }
  }

  function start(): void {
    if (ends !== undefined) return;
    ends = threads.flatMap(({ onCommit, sync }) => [
      onCommit(() => void refresh()),
      sync?.subscribe(({ status }, previous) => {
        if (status === "online" && previous.status !== "online") void refresh();
      }) ?? (() => undefined),
    ]);
    void refresh();
  }

  function stop(): void {
    for (const end of ends ?? []) end();
    ends = undefined;
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: refCount.whileSubscribed(state.subscribe),
    refresh,
  };
}
