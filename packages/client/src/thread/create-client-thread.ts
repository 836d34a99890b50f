// One thread as a page holds it: a replica on the client's connection, and the parts beside it.
//
// Invariants:
// - Making it opens and sends nothing. It is connected while it is watched or an edit is pending.
// - Its parts are there at once and stay the same objects; their code loads with their first use.
// - A call that fails is a value where the part has a state, and rejects for its caller.

import {
  type AcceptedOperationOf,
  type AnyDefinition,
  createReplica,
  defined,
  type Replica,
  type StateOf,
} from "@opstate/core";
import type { Readable } from "@opstate/core/readable";
import { readOnlyRejection } from "@opstate/core/transport";
import type {
  ClientThread,
  HistoryOptions,
  ThreadHistory,
  ThreadPresence,
  ThreadProposals,
  ThreadSync,
  ThreadUndo,
  ThreadUndoState,
} from "../client-thread.ts";
import type { HistoryFeed, HistoryState } from "../history/history-feed.ts";
import type { ProposalState } from "../proposal-feed.ts";
import type { ThreadAccess } from "../thread-access.ts";
import { once } from "../once.ts";
import type { Call } from "./call.ts";
import { handled, lazyPart } from "./lazy-part.ts";
import { mergeReadables } from "./merge-readables.ts";
import { threadBranches } from "./thread-branches.ts";
import type { UndoPart } from "./undo.ts";

/** What a client knows of a thread beside what its replica knows. */
export type ClientSide = Pick<ThreadSync, "actor" | "isUnconfirmed" | "lost" | "storage">;

export interface ClientThreadOptions<D extends AnyDefinition> {
  readonly threadId: string;
  readonly replica: Replica<D>;
  readonly side: Readable<ClientSide>;
  readonly presence: ThreadPresence;
  /** Called after each edit. */
  readonly onEdit: () => void;
  /** The calls of a thread. Loads what it needs. */
  access(): Promise<ThreadAccess<D>>;
  /** A branch is a thread of the same client. */
  openThread(threadId: string): ClientThread<D>;
}

export function createClientThread<D extends AnyDefinition>(options: ClientThreadOptions<D>): ClientThread<D> {
  const { threadId, replica, side, presence } = options;
  const { definition, getState, getInitialState, subscribe, ready, onCommit, onRejection } = replica;
  const sync: Readable<ThreadSync> = mergeReadables(replica.sync, side);
  // Two first calls do not load two.
  const access = once(options.access);
  const call: Call<D> = (run) => handled(access().then(run));
  const edited =
    <Given extends unknown[], Result>(send: (...given: Given) => Result) =>
    (...given: Given): Result => {
      const verdict = send(...given);
      options.onEdit();
      return verdict;
    };

  return {
    threadId,
    definition,
    getState,
    getInitialState,
    subscribe,
    dispatch: edited(replica.dispatch),
    submit: edited(replica.submit),
    ready,
    onCommit,
    onRejection,
    sync,
    can: (operation) =>
      readOnlyRejection(replica.sync.getState().isReadOnly, operation) ??
      definition.can(getState(), operation, side.getState().actor),
    history: threadHistory(replica, call),
    undo: threadUndo(replica, side, call),
    proposals: threadProposals(replica, call),
    branches: threadBranches(replica, call, options.openThread),
    presence,
  };
}

type Accepted<D extends AnyDefinition> = AcceptedOperationOf<D>;

function threadHistory<D extends AnyDefinition>(
  { onCommit, onRejection, sync }: Replica<D>,
  call: Call<D>,
): ThreadHistory<D> {
  const read: ThreadHistory<D>["read"] = (range) => call((of) => of.history(range));
  const feeds = new Map<string, HistoryFeed<Accepted<D>>>();
  function create(options: HistoryOptions): HistoryFeed<Accepted<D>> {
    const initial: HistoryState<Accepted<D>> = { entries: [], hasOlder: false, loading: true };
    const { quietly, state } = lazyPart<HistoryState<Accepted<D>>, HistoryFeed<Accepted<D>>>(initial, async () => {
      const { createHistoryFeed } = await import("../history/history-feed.ts");
      return createHistoryFeed({ onCommit, onRejection, sync, history: read }, options);
    });
    return { ...state, older: () => quietly((feed) => feed.older()) };
  }
  function feedWith({ pageSize, rejections, limit }: HistoryOptions): HistoryFeed<Accepted<D>> {
    const options = defined({ pageSize, rejections, limit });
    const key = JSON.stringify(options);
    const feed = feeds.get(key) ?? create(options);
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

function threadUndo<D extends AnyDefinition>(
  replica: Replica<D>,
  side: Readable<ClientSide>,
  call: Call<D>,
): ThreadUndo<D> {
  const initial: ThreadUndoState<D> = { canUndo: false, canRedo: false, busy: false };
  const { soon, state } = lazyPart<ThreadUndoState<D>, UndoPart<Accepted<D>>>(initial, async () => {
    const { threadUndoPart } = await import("./undo.ts");
    return threadUndoPart(replica, () => side.getState().actor, call);
  });
  const undo = (
    target: Parameters<UndoPart<Accepted<D>>["undo"]>[0] = "last",
    options?: Parameters<UndoPart<Accepted<D>>["undo"]>[1],
  ) => soon((part) => part.undo(target, options));
  // With another target than "last" there is always a verdict: that is what the overloads say.
  return Object.assign(undo as ThreadUndo<D>, state, {
    redo: (options?: Parameters<ThreadUndo<D>["redo"]>[0]) => soon((part) => part.redo(options)),
  });
}

function threadProposals<D extends AnyDefinition>(replica: Replica<D>, call: Call<D>): ThreadProposals<D> {
  const initial: ProposalState<Accepted<D>> = { proposals: [], loading: true };
  const { soon, quietly, state } = lazyPart<ProposalState<Accepted<D>>, ThreadProposals<D>>(initial, async () => {
    const { threadProposals: proposals } = await import("./proposals.ts");
    return proposals(replica, call);
  });
  return {
    ...state,
    refresh: () => quietly((part) => part.refresh()),
    find: (...given) => soon((part) => part.find(...given)),
    propose: (...given) => soon((part) => part.propose(...given)),
    approve: (...given) => soon((part) => part.approve(...given)),
    decline: (...given) => soon((part) => part.decline(...given)),
  };
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
