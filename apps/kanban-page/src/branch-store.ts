// The branch on which the agent tries things: its board, its changes in words, merge and discard.

import { defined } from "@opstate/core";
import type { BranchChange, Merged } from "@opstate/core/thread";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "./announcer.ts";
import type { OpenBoard } from "./open-board.ts";
import { plainRefusal } from "./plain-refusal.ts";

export interface BranchLine {
  readonly change: BranchChange;
  readonly sentence: string;
  /** Why the board would refuse it now. */
  readonly problem: string | undefined;
  /** Why the last attempt to merge it failed. */
  readonly refused: string | undefined;
}

export interface OpenBranch {
  readonly board: OpenBoard;
  readonly lines: readonly BranchLine[];
}

export interface BranchView {
  readonly branch?: OpenBranch | undefined;
  /** The branch is shown in the board's place. */
  readonly shown: boolean;
  readonly busy: boolean;
  readonly problem?: string | undefined;
}

interface BranchStoreOptions {
  readonly main: OpenBoard;
  readonly open: (threadId: string) => OpenBoard;
  readonly announcer: Announcer;
}

export function createBranchStore({ main, open, announcer }: BranchStoreOptions) {
  const store = createStore<BranchView>()(() => ({ shown: false, busy: false }));
  let cleanups: (() => void)[] = [];
  let refused = new Map<string, string>();
  let refreshing = false;
  let outdated = false;
  let closed = false;

  function attach(threadId: string, shown: boolean): void {
    const board = open(threadId);
    refused = new Map();
    // Whether a change can be merged depends on the board, too.
    cleanups = [board.replica.onCommit(() => void refresh()), main.replica.onCommit(() => void refresh())];
    store.setState({ branch: { board, lines: [] }, shown, problem: undefined });
    void refresh();
  }

  function detach(): void {
    for (const cleanup of cleanups) cleanup();
    cleanups = [];
    store.getState().branch?.board.close();
    store.setState({ branch: undefined, shown: false });
  }

  async function refresh(): Promise<void> {
    outdated = true;
    if (refreshing) return;
    refreshing = true;
    try {
      while (outdated) {
        outdated = false;
        const { branch } = store.getState();
        if (!branch || closed) break;
        // oxlint-disable-next-line no-await-in-loop -- once more if something changed meanwhile
        const changes = await main.thread.openBranch(branch.board.threadId).diff();
        if (store.getState().branch?.board !== branch.board) break;
        store.setState({
          branch: { board: branch.board, lines: changes.map(lineOf) },
        });
      }
    } catch {
      // Offline, or the branch is gone: the next change reads it again.
    }
    refreshing = false;
  }

  function lineOf(change: BranchChange): BranchLine {
    return {
      change,
      sentence: change.sentence,
      problem: change.holds ? undefined : change.rejection && plainRefusal(change.rejection, main.replica.getState()),
      refused: refused.get(change.id),
    };
  }

  async function perform(work: () => Promise<void>): Promise<void> {
    if (store.getState().busy) return;
    store.setState({ busy: true, problem: undefined });
    try {
      await work();
    } catch (error) {
      store.setState({
        problem: error instanceof TypeError ? "This needs the connection. Try again when it is back." : String(error),
      });
    }
    store.setState({ busy: false });
  }

  async function findExisting(): Promise<void> {
    try {
      const newest = (await main.thread.branches()).at(-1);
      if (newest && !closed && !store.getState().branch) attach(newest.threadId, false);
    } catch {
      // The server did not answer: there is no branch to show.
    }
  }
  void main.replica.ready().then(findExisting, () => undefined);

  return Object.assign(store, {
    /** The id of the branch for the agent's next run. Creates a branch when there is none. */
    async ensure(): Promise<string> {
      const { branch } = store.getState();
      if (!branch) {
        const created = await main.thread.branch();
        attach(created.threadId, true);
        return created.threadId;
      }
      store.setState({ shown: true });
      return branch.board.threadId;
    },
    show: (shown: boolean) => store.setState({ shown }),
    merge: (ids?: readonly string[]) =>
      perform(async () => {
        const { branch } = store.getState();
        if (!branch) return;
        const client = main.thread.openBranch(branch.board.threadId);
        const merged: readonly Merged[] = await client.merge(defined({ ids }));
        for (const { id, verdict } of merged) {
          if (verdict.accepted) refused.delete(id);
          else refused.set(id, plainRefusal(verdict.rejection, main.replica.getState()));
        }
        const acceptedCount = merged.filter(({ verdict }) => verdict.accepted).length;
        announcer.say(`${acceptedCount} of ${merged.length} changes merged.`);
        const unmerged = (await client.diff()).filter(({ merged: at }) => at === undefined);
        if (unmerged.length > 0) return refresh();
        // The board has every change of the branch now.
        await client.discard();
        detach();
      }),
    discard: () =>
      perform(async () => {
        const { branch } = store.getState();
        if (!branch) return;
        await main.thread.openBranch(branch.board.threadId).discard();
        detach();
        announcer.say("The branch is discarded. The board is as it was.");
      }),
    close() {
      closed = true;
      detach();
    },
  });
}
