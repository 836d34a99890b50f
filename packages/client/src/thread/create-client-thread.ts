// One thread as a page holds it: a replica on the client's connection, and the parts beside it.
//
// Invariants:
// - Making it opens and sends nothing. It is connected while it is watched or while an edit waits.
// - Its parts are there at once and stay the same objects; their code loads with their first use.
// - A call that fails is a value where the part has a state, and rejects for whoever waits.

import {
  type AcceptedOperationOf,
  type Actor,
  type AnyDefinition,
  createReplica,
  defined,
  type Replica,
  type StateOf,
  type Sync,
  type Verdict,
} from "@opstate/core";
import type { Readable } from "@opstate/core/readable";
import type {
  ClientThread,
  HistoryOptions,
  ShownProposal,
  ThreadHistory,
  ThreadPresence,
  ThreadProposals,
  ThreadSync,
  ThreadUndo,
  ThreadUndoState,
} from "../client-thread.ts";
import type { HistoryFeed, HistoryState } from "../history/history-feed.ts";
import type { ProposalFeed, ProposalState } from "../proposals/proposal-feed.ts";
import type { ThreadAccess } from "../thread-access.ts";
import type { Call } from "./call.ts";
import { derived } from "./derived.ts";
import { handled, lazyPart } from "./lazy-part.ts";
import { readOnlyRejection } from "./read-only.ts";
import { threadBranches } from "./thread-branches.ts";
import type { UndoPart } from "./undo.ts";

/** What a client knows of a thread beside what its replica knows. */
export type ClientSide = Pick<ThreadSync, "actor" | "isUnconfirmed" | "isReadOnly" | "lost" | "storage">;

export interface ClientThreadOptions<D extends AnyDefinition> {
  readonly threadId: string;
  readonly replica: Replica<D>;
  readonly side: Readable<ClientSide>;
  readonly presence: ThreadPresence;
  /** Called after each edit. */
  readonly onEdit?: () => void;
  /** The calls of a thread. Loads what it needs. */
  access(): Promise<ThreadAccess<D>>;
  /** A branch is a thread of the same client. */
  openThread(threadId: string): ClientThread<D>;
}

export function createClientThread<D extends AnyDefinition>(options: ClientThreadOptions<D>): ClientThread<D> {
  const { threadId, replica, side, presence } = options;
  const { definition, getState, getInitialState, subscribe, ready, onCommit, onRejection } = replica;
  const sync = derived(replica.sync, side, (of: Sync, beside): ThreadSync => ({ ...of, ...beside }));
  // The parts are loaded once, so that two first calls do not load two.
  let loading: Promise<ThreadAccess<D>> | undefined;
  const access = (): Promise<ThreadAccess<D>> => {
    loading ??= options.access().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const call: Call<D> = (run) => handled(access().then(run));
  const edit: Edit<D> = (run) => handled(watchedUntilSeen(replica, call(run)));

  return {
    threadId,
    definition,
    getState,
    getInitialState,
    subscribe,
    dispatch(update, how) {
      const verdict = replica.dispatch(update, how);
      options.onEdit?.();
      return verdict;
    },
    submit(update, how) {
      const verdict = replica.submit(update, how);
      options.onEdit?.();
      return verdict;
    },
    ready,
    onCommit,
    onRejection,
    sync,
    can: (operation) =>
      readOnlyRejection(side.getState(), operation) ?? definition.can(getState(), operation, side.getState().actor),
    history: threadHistory(replica, call),
    undo: threadUndo(replica, side, call, edit),
    proposals: threadProposals(replica, call, edit),
    branches: threadBranches(replica, call, options.openThread),
    presence,
  };
}

type Accepted<D extends AnyDefinition> = AcceptedOperationOf<D>;
/** One that changes the thread. It is an edit that waits: the thread is connected meanwhile. */
type Edit<D extends AnyDefinition> = (
  run: (of: ThreadAccess<D>) => Promise<Verdict<Accepted<D>>>,
) => Promise<Verdict<Accepted<D>>>;

/** Keeps the replica connected until it has what the verdict says, or cannot get it now. */
async function watchedUntilSeen<V extends Verdict>(replica: Pick<Replica, "sync">, call: Promise<V>): Promise<V> {
  let version = Infinity;
  const isSeen = ({ status, version: seen }: Sync) => seen >= version || status !== "online";
  const end = replica.sync.subscribe((sync) => {
    if (version < Infinity && isSeen(sync)) end();
  });
  try {
    const verdict = await call;
    version = verdict.version;
    if (isSeen(replica.sync.getState())) end();
    return verdict;
  } catch (error) {
    end();
    throw error;
  }
}

function threadHistory<D extends AnyDefinition>(replica: Replica<D>, call: Call<D>): ThreadHistory<D> {
  const read: ThreadHistory<D>["read"] = (range) => call((of) => of.history(range));
  const feeds = new Map<string, HistoryFeed<Accepted<D>>>();
  function feedWith({ pageSize, rejections, limit }: HistoryOptions): HistoryFeed<Accepted<D>> {
    const options = defined({ pageSize, rejections, limit });
    const key = JSON.stringify(options);
    const feed = feeds.get(key) ?? historyFeed(replica, read, options);
    feeds.set(key, feed);
    return feed;
  }
  return {
    ...feedWith({}),
    with: feedWith,
    read,
    stateAt: (version) => call((of) => of.stateAt(version)),
    explain: (pointer) => call((of) => of.explain(pointer)),
  };
}

function historyFeed<D extends AnyDefinition>(
  { onCommit, onRejection, sync }: Replica<D>,
  history: ThreadHistory<D>["read"],
  options: HistoryOptions,
): HistoryFeed<Accepted<D>> {
  const initial: HistoryState<Accepted<D>> = { entries: [], hasOlder: false, loading: true };
  const { part, ...state } = lazyPart<HistoryState<Accepted<D>>, HistoryFeed<Accepted<D>>>(initial, async () => {
    const { createHistoryFeed } = await import("../history/history-feed.ts");
    return createHistoryFeed({ onCommit, onRejection, sync, history }, options);
  });
  return {
    ...state,
    async older() {
      // What could not be loaded is in the state.
      const feed = await part().catch(() => undefined);
      await feed?.older();
    },
  };
}

function threadUndo<D extends AnyDefinition>(
  replica: Replica<D>,
  side: Readable<{ readonly actor?: Actor }>,
  call: Call<D>,
  edit: Edit<D>,
): ThreadUndo<D> {
  const initial: ThreadUndoState<D> = { canUndo: false, canRedo: false, busy: false };
  const { part, ...state } = lazyPart<ThreadUndoState<D>, UndoPart<Accepted<D>>>(initial, async () => {
    const { undoPart } = await import("./undo.ts");
    return undoPart<Accepted<D>>({
      onCommit: replica.onCommit,
      sync: replica.sync,
      undo: (target, how) => edit((of) => of.undo(target, how)),
      history: (range) => call((of) => of.history(range)),
      actor: () => side.getState().actor,
    });
  });
  const undo = (
    target: Parameters<UndoPart<Accepted<D>>["undo"]>[0] = "last",
    options?: Parameters<UndoPart<Accepted<D>>["undo"]>[1],
  ) => handled(part().then((loaded) => loaded.undo(target, options)));
  // With another target than "last" there is always a verdict: that is what the overloads say.
  return Object.assign(undo as ThreadUndo<D>, state, {
    redo: (options?: Parameters<ThreadUndo<D>["redo"]>[0]) => handled(part().then((loaded) => loaded.redo(options))),
  });
}

function threadProposals<D extends AnyDefinition>(
  replica: Replica<D>,
  call: Call<D>,
  edit: Edit<D>,
): ThreadProposals<D> {
  const initial: ProposalState<Accepted<D>> = { proposals: [], loading: true };
  const { part, ...state } = lazyPart<ProposalState<Accepted<D>>, ProposalFeed<Accepted<D>>>(initial, async () => {
    const { createProposalFeed } = await import("../proposals/proposal-feed.ts");
    return createProposalFeed({
      // The feed reads of a commit what is the same in all definitions.
      onCommit: (listener) => replica.onCommit((commit) => listener(commit)),
      sync: replica.sync,
      proposals: () => call((of) => of.proposals()),
    });
  });
  return {
    ...state,
    async refresh() {
      const feed = await part().catch(() => undefined);
      await feed?.refresh();
    },
    propose: (update, options) => edit((of) => of.propose(update, options)),
    approve: (proposal, options) => edit((of) => of.approve(...asShown(proposal, options))),
    decline: (proposal, options) => edit((of) => of.decline(...asShown(proposal, options))),
  };
}

/** The id, and the options of a decision about the proposal as it was shown. */
function asShown<Options>(proposal: string | ShownProposal, options: Options): [string, Options] {
  return typeof proposal === "string"
    ? [proposal, options]
    : [proposal.id, { proposedAt: proposal.version, ...options }];
}

export interface ThreadOptions<D extends AnyDefinition> {
  /**
   * The confirmed state to begin with, such as the one that a server rendered, as `GET
   * /threads/:id` gives it. It counts for a thread that has nothing newer.
   */
  readonly initial?: InitialSnapshot<D> | undefined;
}

type InitialSnapshot<D extends AnyDefinition> = NonNullable<Parameters<typeof createReplica<D>>[0]["snapshot"]> & {
  readonly state: StateOf<D>;
};
