// The open proposals of a thread as a live list.
//
// Invariants:
// - There is one read at a time.
// - A commit that arrives while a read is under way leads to another read, so the list is never
//   older than the commits that the feed received.

import type { AnyOperation, Proposal } from "@opstate/core";
import { proposalChange } from "@opstate/core/log";
import { createSource, type Readable, RefCount } from "@opstate/core/readable";
import { type CommitSource, watchSync } from "./commit-source.ts";

export interface ProposalSource<Operation = AnyOperation> extends CommitSource {
  proposals(): Promise<readonly Proposal<Operation>[]>;
}

export interface ProposalState<Operation = AnyOperation> {
  /**
   * Oldest first. A proposal past its `expiresAt` stays until the next read: there is no timer.
   */
  readonly proposals: readonly Proposal<Operation>[];
  /**
   * Grows when a proposal may have been made, decided or brought back. While it stays, what became
   * of a proposal that is not open stays, too. Absent before the first read.
   */
  readonly decisions?: number;
  /** Whether a read is under way, or none has begun yet. */
  readonly loading: boolean;
  /** What the last read threw. The next commit, a reconnection or `refresh` reads again. */
  readonly error?: unknown;
}

export interface ProposalFeed<Operation = AnyOperation> extends Readable<ProposalState<Operation>> {
  /** Reads the proposals now. Never rejects: see `error`. */
  refresh(): Promise<void>;
}

/**
 * Creates a feed of a thread's open proposals. While it has a subscriber, it reads them after each
 * proposal, decision and undo, and, while any is open, after each change of the state, which may
 * have made one stale.
 */
export function createProposalFeed<Operation>(
  source: ProposalSource<Operation>,
  { onError }: { readonly onError?: (error: unknown) => void } = {},
): ProposalFeed<Operation> {
  const state = createSource<ProposalState<Operation>>({ proposals: [], loading: true }, onError);
  const refCount = new RefCount(start, stop);
  let unsubscribers: (() => void)[] | undefined;
  /** How often a proposal may have been made, decided or brought back. */
  let decisions = 0;
  /** Whether the state changed since the last read, which may have made an open one stale. */
  let hasChanged = false;
  /** The version of the newest commit received. */
  let lastVersion = 0;
  let working: Promise<void> | undefined;

  function refresh(): Promise<void> {
    decisions += 1;
    return read();
  }

  function read(): Promise<void> {
    working ??= work();
    return working;
  }

  async function work(): Promise<void> {
    // A read may begin while listeners are notified. Its own notification comes after that one.
    await Promise.resolve();
    const before = state.getState();
    const { error: _, ...known } = before;
    if (!before.loading || "error" in before) state.set({ ...known, loading: true })();
    try {
      for (let again = true; again;) {
        const reflected = decisions;
        hasChanged = false;
        const proposals = await source.proposals();
        again = reflected !== decisions || (hasChanged && proposals.length > 0);
        if (!again) working = undefined;
        state.set({ proposals, decisions: reflected, loading: again })();
      }
    } catch (error) {
      working = undefined;
      state.set({ ...state.getState(), loading: false, error })();
    }
  }

  function start(): void {
    if (unsubscribers !== undefined) return;
    unsubscribers = [
      source.onCommit(({ version, operation, patches }) => {
        lastVersion = version;
        if (patches.length > 0) hasChanged = true;
        // Making or declining a proposal changes no state, and still changes the list.
        const { proposals, error } = state.getState();
        if (proposalChange(operation) !== undefined || error !== undefined) void refresh();
        else if (proposals.length > 0 && hasChanged) void read();
      }),
      watchSync(source, {
        onCameOnline: () => void refresh(),
        onVersion(version) {
          // A snapshot brought the version, without its commit.
          if (version !== lastVersion) void refresh();
        },
      }),
    ];
    void refresh();
  }

  function stop(): void {
    for (const unsubscribe of unsubscribers ?? []) unsubscribe();
    unsubscribers = undefined;
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: refCount.whileSubscribed(state.subscribe),
    refresh,
  };
}
