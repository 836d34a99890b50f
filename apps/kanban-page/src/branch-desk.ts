// The branch on which the agent tries things: whether it is shown, merge and discard. Its changes
// are those of the thread's `branches`.

import type { ThreadBranch } from "@opstate/client";
import { defined } from "@opstate/core";
import type { BranchChange } from "@opstate/core/thread";
import type { Board, board } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "./announcer.ts";
import type { BoardThread, OpenBoard } from "./open-board.ts";
import { plainRefusal } from "./plain-refusal.ts";

export interface OpenBranch {
  readonly branch: ThreadBranch<typeof board>;
  readonly board: OpenBoard;
}

export interface BranchView {
  readonly open?: OpenBranch | undefined;
  /** The branch is shown in the board's place. */
  readonly shown: boolean;
  readonly busy: boolean;
  readonly problem?: string | undefined;
  /** Why the last attempt to merge a change failed, by its id. */
  readonly refused: ReadonlyMap<string, string>;
}

export interface BranchDeskContext {
  readonly thread: BoardThread;
  readonly open: (thread: BoardThread) => OpenBoard;
  readonly announcer: Announcer;
}

export function createBranchDesk({ thread, open, announcer }: BranchDeskContext) {
  const store = createStore<BranchView>()(() => ({ shown: false, busy: false, refused: new Map() }));
  let isClosed = false;

  function attach(branch: ThreadBranch<typeof board>, shown: boolean): void {
    store.setState({
      open: { branch, board: open(branch.thread) },
      shown,
      problem: undefined,
      refused: new Map(),
    });
  }

  function detach(): void {
    const { open: before } = store.getState();
    store.setState({ open: undefined, shown: false });
    before?.board.close();
  }

  async function perform(work: (branch: ThreadBranch<typeof board>) => Promise<void>): Promise<void> {
    const { open: now, busy } = store.getState();
    if (busy || now === undefined) return;
    store.setState({ busy: true, problem: undefined });
    try {
      await work(now.branch);
    } catch (error) {
      store.setState({
        problem: error instanceof TypeError ? "This needs the connection. Try again when it is back." : String(error),
      });
    }
    store.setState({ busy: false });
  }

  async function findExisting(): Promise<void> {
    try {
      const newest = (await thread.branches.list()).at(-1);
      if (newest && !isClosed && !store.getState().open) attach(thread.branches.open(newest.threadId), false);
    } catch {
      // The server did not answer: there is no branch to show.
    }
  }
  void thread.ready().then(findExisting, () => undefined);

  return Object.assign(store, {
    /** The id of the branch for the agent's next run. Creates a branch when there is none. */
    async ensure(): Promise<string> {
      const { open: now } = store.getState();
      if (now) store.setState({ shown: true });
      const branch = now?.branch ?? (await thread.branches.create());
      if (!now) attach(branch, true);
      return branch.threadId;
    },
    show: (shown: boolean) => store.setState({ shown }),
    merge: (ids?: readonly string[]) =>
      perform(async (branch) => {
        const merged = await branch.merge(defined({ ids }));
        const refused = new Map(store.getState().refused);
        for (const { id, verdict } of merged) {
          if (verdict.accepted) refused.delete(id);
          else refused.set(id, plainRefusal(verdict.rejection, thread.getState()));
        }
        store.setState({ refused });
        const acceptedCount = merged.filter(({ verdict }) => verdict.accepted).length;
        announcer.say(`${acceptedCount} of ${merged.length} changes merged.`);
        await branch.changes.refresh();
        if (unmergedOf(branch.changes.getState().changes).length > 0) return;
        // The board has every change of the branch now.
        await branch.discard();
        detach();
      }),
    discard: () =>
      perform(async (branch) => {
        await branch.discard();
        detach();
        announcer.say("The branch is discarded. The board is as it was.");
      }),
    close() {
      isClosed = true;
      detach();
    },
  });
}

export const unmergedOf = <Change extends BranchChange>(changes: readonly Change[]): readonly Change[] =>
  changes.filter(({ merged }) => merged === undefined);

/** Why the board would refuse a change now. */
export const changeProblem = ({ holds, rejection }: BranchChange, board: Board | null): string | undefined =>
  holds ? undefined : rejection && plainRefusal(rejection, board);
