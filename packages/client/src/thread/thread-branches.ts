// The branches of a thread as a page holds them: one object for each, whose changes are live.

import type { AcceptedOperationOf, AnyDefinition, Replica } from "@opstate/core";
import type {
  BranchChanges,
  BranchChangesState,
  ClientThread,
  ThreadBranch,
  ThreadBranches,
} from "../client-thread.ts";
import type { Call } from "./call.ts";
import { lazyPart } from "./lazy-part.ts";

type Accepted<D extends AnyDefinition> = AcceptedOperationOf<D>;
/** What the changes of a branch are read after. */
type Watched<D extends AnyDefinition> = Pick<Replica<D>, "onCommit" | "sync">;

export function threadBranches<D extends AnyDefinition>(
  thread: Watched<D>,
  call: Call<D>,
  openThread: (threadId: string) => ClientThread<D>,
): ThreadBranches<D> {
  const branches = new Map<string, ThreadBranch<D>>();
  function create(threadId: string): ThreadBranch<D> {
    const diff = () => call((of) => of.openBranch(threadId).diff());
    return {
      threadId,
      get thread() {
        return openThread(threadId);
      },
      changes: changesOf(() => [openThread(threadId), thread], diff),
      diff,
      merge: (options) => call((of) => of.openBranch(threadId).merge(options)),
      discard: () => call((of) => of.openBranch(threadId).discard()),
    };
  }
  function open(threadId: string): ThreadBranch<D> {
    const branch = branches.get(threadId) ?? create(threadId);
    branches.set(threadId, branch);
    return branch;
  }
  return {
    list: () => call((of) => of.branches()),
    create: (options) => call(async (of) => open((await of.branch(options)).threadId)),
    open,
  };
}

function changesOf<D extends AnyDefinition>(
  threads: () => readonly Watched<D>[],
  diff: ThreadBranch<D>["diff"],
): BranchChanges<Accepted<D>> {
  const initial: BranchChangesState<Accepted<D>> = { changes: [], loading: true };
  const { quietly, state } = lazyPart<BranchChangesState<Accepted<D>>, BranchChanges<Accepted<D>>>(
    initial,
    async () => {
      const { createBranchChanges } = await import("./branch-changes.ts");
      return createBranchChanges<Accepted<D>>({ threads: threads(), diff });
    },
  );
  return { ...state, refresh: () => quietly((part) => part.refresh()) };
}
