// The branch on which the agent tries things: whether one works on it or on the board, what
// differs, merge and discard. Its changes are those of the thread's `branches`.

import type { ThreadBranch } from "@opstate/client";
import { defined } from "@opstate/core";
import type { BranchChange } from "@opstate/core/thread";
import type { Board, board } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "./announcer.ts";
import { type Differences, differencesOf, NO_DIFFERENCES } from "./branch-differences.ts";
import type { BoardThread, OpenBoard } from "./open-board.ts";
import { plainRefusal } from "./plain-refusal.ts";

/** Both are beside each other, as the style sheet says. */
const ROOM_FOR_BOTH = "(min-width: 1024px)";

export interface OpenBranch {
  readonly branch: ThreadBranch<typeof board>;
  readonly board: OpenBoard;
}

export interface BranchView {
  readonly open?: OpenBranch | undefined;
  /**
   * The branch is edited, and the board is shown beside it where there is room. False: the reverse.
   */
  readonly shown: boolean;
  /** The changes are listed below the boards. */
  readonly listed: boolean;
  readonly differences: Differences;
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
  const store = createStore<BranchView>()(() => ({
    shown: false,
    listed: matchMedia(ROOM_FOR_BOTH).matches,
    differences: NO_DIFFERENCES,
    busy: false,
    refused: new Map(),
  }));
  let isClosed = false;
  let stopComparing = () => {};

  function attach(branch: ThreadBranch<typeof board>, shown: boolean): void {
    store.setState({
      open: { branch, board: open(branch.thread) },
      shown,
      problem: undefined,
      refused: new Map(),
    });
    const compare = () => store.setState({ differences: differencesOf(thread.getState(), branch.thread.getState()) });
    const stops = [thread, branch.thread].map((each) => each.subscribe(compare));
    stopComparing = () => stops.forEach((stop) => stop());
    compare();
  }

  function detach(): void {
    const { open: before } = store.getState();
    stopComparing();
    store.setState({ open: undefined, shown: false, differences: NO_DIFFERENCES });
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
    list: (listed: boolean) => store.setState({ listed }),
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

/** What differs of a card, in words for the side that is the given thread. */
export const differenceOn = (
  { open, differences }: BranchView,
  { threadId }: BoardThread,
  cardId: string,
): string | undefined => differences[open?.branch.threadId === threadId ? "branch" : "board"].get(cardId);

/** Why the board would refuse a change now. */
export const changeProblem = ({ holds, rejection }: BranchChange, board: Board | null): string | undefined =>
  holds ? undefined : rejection && plainRefusal(rejection, board);
