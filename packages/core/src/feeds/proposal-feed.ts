// The proposals that wait for a decision, as a list that follows what happens.
//
// Invariant: one read at a time; whatever happened since a read began leads to another one, so the
// list is never older than what was told.

import { createSource, type Readable } from "../readable.ts";
import { RefCount } from "../replica/ref-count.ts";
import type { Proposal } from "../thread/results.ts";
import { PROPOSAL_TYPES } from "../thread/entries.ts";
import { type CommitSource, watchStanding } from "./commit-source.ts";

/**
 * A thread is one, and so is a participant's access beside a replica: `{ ...replica,
 * ...threadClient(options) }`.
 */
export interface ProposalSource<Operation = { readonly type: string }> extends CommitSource {
  proposals(): Promise<readonly Proposal<Operation>[]>;
}

export interface ProposalState<Operation = { readonly type: string }> {
  /**
   * Oldest first. One that has an `expiresAt` stays until something happens: no clock is watched.
   */
  readonly proposals: readonly Proposal<Operation>[];
  /** A read is under way, or none was yet. */
  readonly loading: boolean;
  /** What the last read threw. What is heard next, a reconnection or `refresh` try again. */
  readonly error?: unknown;
}

export interface ProposalFeed<Operation = { readonly type: string }> extends Readable<ProposalState<Operation>> {
  /** Reads them now. Never rejects: see `error`. */
  refresh(): Promise<void>;
}

/**
 * A thread's open proposals, read again for as long as somebody subscribes: after each proposal and
 * decision, and, while any wait, after each change of the state, which may have made one stale.
 *
 * @example
 * ```ts
 * import { createProposalFeed, defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: { add: { input: z.object({ by: z.int() }), apply: (draft, { by }) => void (draft.count += by) } },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * await thread.propose(counter.op.add({ by: 1 }), { id: "p", actor: { kind: "agent", id: "planner" } });
 * const feed = createProposalFeed(thread);
 * await feed.refresh();
 * feed.getState().proposals.map(({ id }) => id); // ["p"]
 * ```
 */
export function createProposalFeed<Operation>(
  source: ProposalSource<Operation>,
  { onError }: { readonly onError?: (error: unknown) => void } = {},
): ProposalFeed<Operation> {
  const state = createSource<ProposalState<Operation>>({ proposals: [], loading: true }, onError);
  const demand = new RefCount(start, stop);
  let ends: (() => void)[] | undefined;
  /**
   * What happened that the list does not know of: a proposal came or went; or the state changed,
   * which says something about those that wait.
   */
  const unknown = { decision: false, change: false };
  /** The newest version whose commit was told. */
  let told = 0;
  let working: Promise<void> | undefined;

  function refresh(): Promise<void> {
    unknown.decision = true;
    working ??= work();
    return working;
  }

  async function work(): Promise<void> {
    // Afterwards: a read may be what somebody asks for in the middle of a notification.
    await Promise.resolve();
    const before = state.getState();
    if (!before.loading || "error" in before) state.set({ proposals: before.proposals, loading: true })();
    try {
      for (let again = true; again;) {
        [unknown.decision, unknown.change] = [false, false];
        const proposals = await source.proposals();
        again = unknown.decision || (unknown.change && proposals.length > 0);
        if (!again) working = undefined;
        state.set({ proposals, loading: again })();
      }
    } catch (error) {
      working = undefined;
      state.set({ proposals: state.getState().proposals, loading: false, error })();
    }
  }

  function start(): void {
    if (ends !== undefined) return;
    ends = [
      source.onCommit(({ version, operation, patches }) => {
        told = version;
        if (patches.length > 0) unknown.change = true;
        const decides = PROPOSAL_TYPES.some((type) => type === operation.type);
        const { proposals, error } = state.getState();
        if (decides || error !== undefined || (proposals.length > 0 && unknown.change)) void refresh();
      }),
      watchStanding(source, {
        onCameOnline: () => void refresh(),
        onVersion(version) {
          // It came without its commit, by a snapshot.
          if (version !== told) void refresh();
        },
      }),
    ];
    void refresh();
  }

  function stop(): void {
    for (const end of ends ?? []) end();
    ends = undefined;
  }

  return {
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: demand.whileSubscribed(state.subscribe),
    refresh,
  };
}
