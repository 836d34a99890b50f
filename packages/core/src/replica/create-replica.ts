// The replica: all I/O around the pure merge. It holds the current value, uses the transport, and
// resolves the verdict of each dispatch.
//
// Invariants:
// - There is one connection at a time. Messages of an earlier one are ignored.
// - `getState` and `sync` have their new values before any listener is called.
// - Submissions are sent in order. After a reconnection, all without a verdict are sent again under
//   the same ids.
// - When the incarnation says that the thread was replaced, the view stays until the snapshot of
//   the new thread arrives. Submissions without a verdict are then sent to the new thread.
//
// (Long because it is one state machine: its functions share `current`, the connection and its
// generation, and nothing else may.)

import type { AnyDefinition, StateOf } from "../definition/definition.ts";
import { defined } from "../defined.ts";
import { type Actor, sameActor } from "../engine/actor.ts";
import { readUpdate, rejection, reused } from "@opstate/core/engine";
import type { Rejection } from "../engine/rejection/rejection.ts";
import { OpstateError } from "../error.ts";
import { equal } from "../json/equal.ts";
import { addTo, callEach, createSource, type Readable } from "../readable.ts";
import type { Commit, Refusal, Submission, Verdict } from "../thread/commit.ts";
import { randomId } from "../thread/random-id.ts";
import { typeOf } from "../thread/type-of.ts";
import { RefCount } from "../ref-count.ts";
import {
  markSent,
  type Followed,
  mergeCommits,
  mergeIdentity,
  mergeRefused,
  mergeRestored,
  mergeSnapshot,
  mergeVerdict,
  startReplica,
  submit,
} from "./merge.ts";
import { Outbox } from "./outbox.ts";
import { OwnRejections } from "./own-rejections.ts";
import { readOnlyRejection } from "./read-only.ts";
import { Readiness } from "./readiness.ts";
import { onThread } from "./basis.ts";
import type { Pending, Side } from "./pending.ts";
import type { Replica, ReplicaSnapshot, Restored, StoredSubmission, Sync } from "./replica.ts";
import { shownPending } from "./shown-pending.ts";
import {
  type Transport,
  type TransportConnection,
  type TransportMessage,
  type TransportStatus,
  waitsForRetry,
} from "./transport.ts";

export interface ReplicaOptions<D extends AnyDefinition> {
  readonly definition: D;
  readonly transport: Transport;
  /** The confirmed state to begin with, such as the one that a server rendered. */
  readonly snapshot?: ReplicaSnapshot<StateOf<D>>;
  /**
   * The actor that submits, when it is known: from a sign-in, or as it was stored when a page was
   * last online. Then edits make their final ids before the authority is reached, and permissions
   * are checked before anything is sent; the authority checks them in any case. When it takes this
   * replica for another actor, what was done before is refused, not sent.
   */
  readonly actor?: Actor;
  /**
   * The pending submissions of an earlier replica (`sync.getState().pending`), where the
   * application stored them, for instance over a reload. They may have been sent, so they are sent
   * again, and only the authority refuses them. To get the verdict of one, dispatch it again under
   * its id.
   */
  readonly pending?: readonly StoredSubmission[];
  /**
   * `"at once"` (the default): connected until it is closed. `"while watched"`: connected while it
   * has a subscriber or a submission without a verdict. Such a replica may be created while a page
   * is rendered, on a server too, and need not be closed.
   */
  readonly connect?: "at once" | "while watched";
  readonly mintId?: () => string;
  /** The time of an edit until its commit arrives, ISO 8601 in UTC; default now. */
  readonly clock?: () => string;
  /** How many operations may be pending. The next one is refused. Default 1,000. */
  readonly maxPending?: number;
  /**
   * Called with what a listener threw. Default: an unhandled rejection, which ends a Node process.
   */
  readonly onError?: (error: unknown) => void;
}

/**
 * Creates the optimistic side of a thread: an edit shows at once, and is removed from the view when
 * the authority refuses it.
 *
 * @example
 * ```ts
 * import { createReplica, defineState, memoryLog, openThread, threadTransport } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const transport = threadTransport(thread, { actor: { kind: "user", id: "ada" } });
 * const replica = createReplica({ definition: counter, transport });
 * await replica.ready();
 * const verdict = replica.dispatch(counter.op.add({ by: 1 }));
 * replica.getState(); // { count: 1 }
 * thread.getState(); // { count: 0 }
 * (await verdict).accepted; // true
 * thread.getState(); // { count: 1 }
 * ```
 */
export function createReplica<D extends AnyDefinition>(options: ReplicaOptions<D>): Replica<D> {
  const { definition, transport, snapshot, mintId = randomId, clock = now, maxPending = 1_000, onError } = options;
  let actor = options.actor ?? snapshot?.actor;
  let isBranch = snapshot?.parent !== undefined;
  const outbox = new Outbox();
  const restored = (options.pending ?? []).map(pendingAgain);
  let status: Sync["status"] = "connecting";
  /** The reason of a status that stays until a retry. */
  let failure: Error | undefined;
  let connection: TransportConnection | undefined;
  let generation = 0;
  /** Why the commits of the current connection could not be followed. */
  let failedToFollow: "gap" | "mismatch" | undefined;
  /** The thread that the authority has, once it is known. */
  let incarnation = snapshot?.incarnation;
  /** That of the thread whose state is here until this one's has come. */
  let earlier: string | undefined;
  let current = startReplica(side(), snapshot, onThread(restored, incarnation));
  /**
   * The state here belongs to a deleted thread. Only the snapshot of the new thread is accepted,
   * and nothing is sent before it arrives.
   */
  let threadReplaced = false;
  let closed = false;
  /** Whether it is, or is to be, connected. */
  let isOpen = false;
  /** The confirmed state was restored, and no authority has said yet who is connected. */
  let isUnconfirmed = false;
  let isWelcome = false;
  /** The actor may not write, as the authority said last. */
  let isReadOnly: boolean | undefined;
  const own = new OwnRejections();
  const state = createSource(current.view, onError);
  const sync = createSource(syncWith([]), onError);
  let ready = new Readiness();
  if (isReady()) ready.resolve();
  const commitListeners = new Set<(commit: Commit) => void>();
  const refusalListeners = new Set<(refusal: Refusal) => void>();

  function pendingAgain({ id, operation, expectedVersion, basedOn, things, incarnation: of, at }: StoredSubmission) {
    const submission = { id, operation, ...defined({ expectedVersion, basedOn, things }) };
    void outbox.add(id, readUpdate(definition, operation).hash);
    return { incarnation: of, submission, at: at ?? clock(), undated: !at };
  }

  function side(): Side {
    return { definition, actor, branch: isBranch ? incarnation : undefined, isOffline: status !== "online" };
  }

  function version(): number {
    return known() ?? 0;
  }

  /** The version that a stream continues from; undefined: it begins with a snapshot. */
  function known(): number | undefined {
    return isReady() ? current.version : undefined;
  }

  function isReady(): boolean {
    return current.version >= 0;
  }

  function syncWith(pending: Sync["pending"]): Sync {
    return defined({
      status,
      ready: isReady(),
      version: version(),
      pending,
      rejections: own.list,
      error: failure,
      isReadOnly,
    });
  }

  /** Sets both values, then notifies the listeners of both. */
  function publish(): void {
    const before = sync.getState();
    const pending = shownPending(before.pending, current.pending, { isProvisional: actor === undefined, incarnation });
    const after = syncWith(pending);
    const notifyState = state.set(current.view);
    const notifySync = sync.set(equal(before, after, 1) ? before : after);
    notifyState();
    notifySync();
    if (isReady()) ready.resolve();
    else if (failure !== undefined) ready.reject(failure);
    if (current.pending.length === 0) void refCount?.releaseIfUnused();
  }

  /** Makes the result of a merge current. */
  function apply(merged: Followed): void {
    const wasReady = isReady();
    current = merged.next;
    for (const { submission, rejection: rejected } of merged.dropped)
      outbox.resolve(submission.id, own.refuse(submission, rejected, version()), "here");
    publish();
    for (const commit of merged.commits) callEach(commitListeners, (listener) => listener(commit), onError);
    for (const commit of merged.ownCommits)
      outbox.resolve(commit.id, { accepted: true, version: commit.version, commit }, "authority");
    // Submissions of an earlier replica count as sent, but this connection has not sent them.
    if (!wasReady && isReady()) send("all");
  }

  function receive(message: TransportMessage): void {
    switch (message.type) {
      case "rights":
        isReadOnly = message.readOnly;
        publish();
        break;
      case "welcome": {
        const before = side();
        let isGone = false;
        if (actor !== undefined && !sameActor(actor, message.actor)) {
          refuseForOtherActor(actor, message.actor);
          isGone = isUnconfirmed;
        }
        actor = message.actor;
        isWelcome = true;
        isUnconfirmed = false;
        if (isGone) return beginAgain();
        isBranch = message.branch === true;
        isReadOnly = message.readOnly;
        checkIncarnation(message.incarnation);
        if (!threadReplaced) apply(mergeIdentity(side(), before, current));
        break;
      }
      case "snapshot": {
        const expected = threadReplaced ? "any" : failedToFollow === "mismatch" ? "as new" : "newer";
        threadReplaced = false;
        failedToFollow = undefined;
        apply(mergeSnapshot(side(), current, message.snapshot, expected));
        if (expected === "any") send("all");
        break;
      }
      case "commits": {
        // A stream from the beginning starts with a snapshot. Commits before it are ignored.
        if (!isReady() || threadReplaced) break;
        const merged = mergeCommits(side(), current, message.commits);
        if (merged.outcome === "reject") return resume(merged.why);
        if (message.commits.length > 0) failedToFollow = undefined;
        apply(merged);
        break;
      }
      case "verdict": {
        const pending = current.pending.find(({ submission }) => submission.id === message.id);
        // A repeated verdict, or one that came too late.
        if (pending === undefined || pending.acceptedAt !== undefined || threadReplaced) break;
        if (!message.verdict.accepted) own.record(pending.submission, message.verdict);
        apply(mergeVerdict(side(), current, message.id, message.verdict));
        outbox.resolve(message.id, message.verdict, "authority");
        break;
      }
      case "refusal":
        callEach(refusalListeners, (listener) => listener(message.refusal), onError);
        break;
    }
  }

  /** Another actor is connected now. Submissions of the earlier actor are refused, not sent. */
  function refuseForOtherActor(before: Actor, now: Actor): void {
    const message = `"${before.id}" made this edit, and "${now.id}" is connected now.`;
    const merged = mergeRefused(side(), current, hasNoVerdict);
    const dropped = current.pending.filter(hasNoVerdict).map(({ submission }) => ({
      submission,
      rejection: rejection("forbidden", typeOf(submission.operation), message, { reason: "other_actor" }),
    }));
    apply({ ...merged, dropped: [...dropped, ...merged.dropped] });
  }

  /** What was restored is another actor's: its state is gone, and the new actor's comes anew. */
  function beginAgain(): void {
    incarnation = undefined;
    current = startReplica(side(), undefined);
    ready = new Readiness();
    connect(undefined);
  }

  function restore({ snapshot: stored, pending = [], actor: storedActor }: Restored): boolean {
    if (closed || (actor !== undefined && storedActor !== undefined && !sameActor(actor, storedActor))) return false;
    const before = side();
    actor ??= storedActor;
    const { incarnation: its = incarnation, version: at = -1 } = stored ?? {};
    const restored = at > current.version && its === (incarnation ?? its) ? stored : undefined;
    if (restored !== undefined) {
      incarnation ??= restored.incarnation;
      isBranch ||= restored.parent !== undefined;
      isUnconfirmed = !isWelcome;
    }
    const waiting = pending.filter(({ id }) => outbox.find(id) === undefined).map(pendingAgain);
    const renamed = mergeIdentity(side(), before, current);
    const merged = mergeRestored(side(), renamed.next, onThread(waiting, incarnation), restored);
    apply({ ...merged, dropped: [...renamed.dropped, ...merged.dropped] });
    // The stream continues from the state that is here now.
    if (isOpen && restored !== undefined) connect(known());
    else if (isOpen) send("all");
    else if (current.pending.length > 0) open();
    return true;
  }

  /** A changed incarnation is another thread, whose state only a snapshot gives. */
  function checkIncarnation(next: string | undefined): void {
    if (next === undefined || next === incarnation) return;
    earlier = incarnation;
    incarnation = next;
    current = { ...current, pending: onThread(current.pending, next, earlier) };
    if (earlier === undefined) return;
    threadReplaced = isReady();
    failedToFollow = undefined;
    connect(undefined);
  }

  /**
   * The stream does not continue at the version of this replica. It connects again from that
   * version; when that failed before, or after a mismatch, from a snapshot.
   */
  function resume(why: "gap" | "mismatch"): void {
    const canContinue = failedToFollow === undefined && why === "gap";
    failedToFollow = canContinue ? "gap" : "mismatch";
    connect(canContinue ? known() : undefined);
  }

  function connect(after: number | undefined): void {
    generation += 1;
    const ownGeneration = generation;
    connection?.close();
    connection = undefined;
    setStatus("connecting");
    publish();
    const connected = transport.connect({
      after,
      onMessage: (message) => {
        if (ownGeneration === generation) receive(message);
      },
      onStatus: (next, error) => {
        if (ownGeneration !== generation) return;
        const cameOnline = next === "online" && status !== "online";
        setStatus(next, error);
        publish();
        if (cameOnline) send("all");
      },
    });
    // A message during `connect` may have led to another connection.
    if (ownGeneration !== generation) return connected.close();
    connection = connected;
    send("all");
  }

  function setStatus(next: TransportStatus, error?: Error): void {
    status = next;
    failure = waitsForRetry(next) ? (error ?? new Error(`The authority says: ${next}.`)) : undefined;
    if (failure === undefined && ready.rejected) ready = new Readiness();
  }

  /**
   * Sends pending submissions in order: those that were never sent, or, after a reconnection, all
   * without a verdict.
   */
  function send(which: "queued" | "all"): void {
    if (connection === undefined || status !== "online" || !isReady() || threadReplaced) return;
    const unsent = current.pending
      .filter((entry) => hasNoVerdict(entry) && (which === "all" || !entry.sent))
      .map(({ submission, at, undated }) => (undated ? submission : { ...submission, madeAt: Date.parse(at) }));
    if (unsent.length === 0) return;
    current = markSent(current);
    publish();
    const ownGeneration = generation;
    for (const submission of unsent) if (ownGeneration === generation) connection?.send(submission);
  }

  function dispatch(
    update: unknown,
    { id = mintId(), expectedVersion }: { readonly id?: string; readonly expectedVersion?: number } = {},
  ): Promise<Verdict> {
    if (closed) return Promise.reject(new OpstateError("closed", "This replica is closed."));
    const { operation, hash, unreadable } = readUpdate(definition, update);
    const submission = { id, operation, ...defined({ expectedVersion }) };
    const known = outbox.find(id);
    if (known !== undefined) return known.hash === hash ? known.promise : refuseNow(submission, reused(id, operation));
    const refused = unreadable ?? readOnlyRejection(isReadOnly, operation);
    if (refused !== undefined) return refuseNow(submission, refused);
    if (current.pending.length >= maxPending) return refuseNow(submission, queueFull(operation, maxPending));
    const submitted = submit(side(), current, { submission, at: clock() });
    if ("rejection" in submitted) return refuseNow(submission, submitted.rejection);
    current = submitted.next;
    // It was made on the state of the earlier thread.
    if (threadReplaced) current = { ...current, pending: onThread(current.pending, incarnation, earlier) };
    const verdict = outbox.add(id, hash);
    publish();
    open();
    if (status === "offline" || waitsForRetry(status)) connection?.retry?.();
    else send("queued");
    return verdict;
  }

  function open(): void {
    if (closed || isOpen) return;
    isOpen = true;
    connect(known());
  }

  /** Pending submissions keep the connection open until their verdict arrives. */
  function closeIfIdle(): void {
    if (closed || !isOpen || current.pending.length > 0) return;
    isOpen = false;
    disconnect();
    publish();
  }

  function disconnect(): void {
    generation += 1;
    connection?.close();
    connection = undefined;
    // A status of the authority stays until the next attempt.
    if (!waitsForRetry(status)) status = "offline";
  }

  async function refuseNow(submission: Submission, rejected: Rejection): Promise<Verdict> {
    const verdict = own.refuse(submission, rejected, version());
    publish();
    return verdict;
  }

  /** Connects one microtask later, because `ready()` may be called while a page is rendered. */
  async function connectUntilReady(refCount: RefCount): Promise<void> {
    const { promise } = ready;
    await Promise.resolve();
    const release = refCount.acquire();
    await promise.catch(() => undefined);
    release();
  }

  const refCount = options.connect === "while watched" ? new RefCount(open, closeIfIdle) : undefined;
  const watched = <L>(subscribe: (listener: L) => () => void) => refCount?.whileSubscribed(subscribe) ?? subscribe;
  const watchedReadable = <T>({ getState, getInitialState, subscribe }: Readable<T>): Readable<T> => ({
    getState,
    getInitialState,
    subscribe: watched(subscribe),
  });
  if (refCount === undefined || current.pending.length > 0) open();

  const replica: Replica = {
    definition,
    ...watchedReadable(state),
    sync: watchedReadable(sync),
    dispatch,
    submit: dispatch,
    snapshot: () =>
      isReady()
        ? {
            version: current.version,
            state: current.confirmed.state,
            ...defined({ incarnation, actor, parent: isBranch ? {} : undefined }),
          }
        : undefined,
    restore,
    ready() {
      if (refCount !== undefined && !isReady() && !ready.rejected) void connectUntilReady(refCount);
      return ready.promise;
    },
    onCommit: watched((listener: (commit: Commit) => void) => addTo(commitListeners, listener)),
    onRejection: watched((listener: (refusal: Refusal) => void) => addTo(refusalListeners, listener)),
    close() {
      if (closed) return;
      closed = true;
      disconnect();
      const error = new OpstateError("closed", "This replica is closed. What it sent may be accepted.");
      outbox.rejectAll(error);
      ready.reject(error);
      [status, failure] = ["closed", undefined];
      publish();
    },
  };
  return replica as Replica<D>;
}

function hasNoVerdict({ acceptedAt }: Pending): boolean {
  return acceptedAt === undefined;
}

function now(): string {
  return new Date().toISOString();
}

function queueFull(operation: unknown, limit: number): Rejection {
  const message = `${limit} operations wait. Try again later.`;
  return rejection("too_large", typeOf(operation), message, { reason: "queue_full" });
}
