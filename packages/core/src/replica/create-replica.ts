// The shell around the merge: it holds the present value, talks to the transport, and keeps the
// promises of those who dispatched.
//
// Invariants: one connection at a time, messages of an older one are ignored; whatever a listener
// is told, `getState` and `sync` already say; submissions are sent in order, and after every
// reconnection all that have no verdict are sent again under the same ids. Where the thread is
// another one than before (its incarnation says so), the view stays until the new one's snapshot is
// there, and what has no verdict is sent to the new one.
//
// (Long because it is one state machine: its pieces share `current`, the connection and its
// generation, and nothing else may.)

import type { AnyDefinition, StateOf } from "../definition/definition.ts";
import { type Actor, sameActor } from "../engine/actor.ts";
import { rejection } from "../engine/reject.ts";
import type { Rejection } from "../engine/rejection.ts";
import { OpstateError } from "../error.ts";
import { createSource } from "../readable.ts";
import type { Commit, Refusal, Snapshot, Submission, Verdict } from "../thread/commit.ts";
import { reused } from "../thread/authority/decide.ts";
import { Listeners } from "../thread/listeners.ts";
import { randomId } from "../thread/random-id.ts";
import { readUpdate } from "../thread/authority/read-update.ts";
import { typeOf } from "../thread/type-of.ts";
import { RefCount } from "./ref-count.ts";
import {
  markSent,
  type Merged,
  type Pending,
  mergeCommits,
  mergeSnapshot,
  mergeVerdict,
  startReplica,
  submit,
} from "./merge.ts";
import { Outbox } from "./outbox.ts";
import { OwnRejections } from "./own-rejections.ts";
import { Readiness } from "./readiness.ts";
import type { PendingOperation, Replica, Sync } from "./replica.ts";
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
  /**
   * A confirmed state to begin with, such as one that a server rendered; with the thread's
   * `incarnation`, one of a thread that is gone is noticed.
   */
  readonly snapshot?: Snapshot<StateOf<D>> & { readonly incarnation?: string };
  /**
   * Who submits, when that is known: then permissions are checked here too. The authority decides
   * by itself.
   */
  readonly actor?: Actor;
  /**
   * What a replica before this one had pending (`sync.getState().pending`), where the application
   * kept it: over a reload, or a night offline. It may have been sent, so it is sent again, and
   * only the authority refuses it. Its verdict: dispatch it again under its id.
   */
  readonly pending?: readonly Submission[];
  /**
   * `"at once"` (the default): connected until it is closed. `"while watched"`: connected while
   * somebody subscribes or waits for a verdict, so that it may be made while a page is rendered, on
   * a server too, and need not be closed.
   */
  readonly connect?: "at once" | "while watched";
  readonly mintId?: () => string;
  /** Operations that may wait for their verdict; a further one is refused. Default 1,000. */
  readonly maxPending?: number;
  /** Hears what a listener threw. Default: an unhandled rejection, which ends a Node process. */
  readonly onError?: (error: unknown) => void;
}

/**
 * The optimistic side of a thread: an edit shows at once and is taken back when the authority
 * refuses it.
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
 * const replica = createReplica({ definition: counter, transport: threadTransport(thread, { actor: { kind: "user", id: "ada" } }) });
 * await replica.ready();
 * const verdict = replica.dispatch(counter.op.add({ by: 1 }));
 * replica.getState(); // { count: 1 }
 * thread.getState(); // { count: 0 }
 * (await verdict).accepted; // true
 * thread.getState(); // { count: 1 }
 * ```
 */
export function createReplica<D extends AnyDefinition>(options: ReplicaOptions<D>): Replica<D> {
  const { definition, transport, snapshot, mintId = randomId, maxPending = 1_000, onError } = options;
  let { actor } = options;
  const left = (options.pending ?? []).map(({ id, operation, expectedVersion }) =>
    submissionOf(id, operation, expectedVersion),
  );
  let current = startReplica({ definition, actor }, snapshot, left);
  let status: Sync["status"] = "connecting";
  /** Why the status is one that does not heal by itself. */
  let failure: Error | undefined;
  let connection: TransportConnection | undefined;
  let generation = 0;
  /** Who the authority took this replica for. */
  let welcomed: Actor | undefined;
  /** What the next connection must begin with, when the present one cannot be followed. */
  let lost: "gap" | "mismatch" | undefined;
  /** Which thread the authority has, once it said so. */
  let incarnation = snapshot?.incarnation;
  /**
   * What is here is of a thread that is gone: nothing but the snapshot of the new one counts, and
   * nothing is sent before it came.
   */
  let replaced = false;
  let closed = false;
  /** Whether it is, or is to be, connected. */
  let opened = false;
  const outbox = new Outbox();
  for (const { id, operation } of left) void outbox.add(id, readUpdate(definition, operation).hash);
  const own = new OwnRejections();
  const state = createSource(current.view, onError);
  const sync = createSource<Sync>(
    { status, version: version(), ready: isReady(), pending: [], rejections: own.list },
    onError,
  );
  let ready = new Readiness();
  if (isReady()) ready.resolve();
  const commitListeners = new Listeners<Commit>(onError);
  const refusalListeners = new Listeners<Refusal>(onError);

  function version(): number {
    return Math.max(current.version, 0);
  }

  function isReady(): boolean {
    return current.version >= 0;
  }

  /** Both values first, then both audiences. */
  function show(): void {
    const before = sync.getState();
    const pendingSame =
      before.pending.length === current.pending.length &&
      before.pending.every((shown, index) => sameAs(shown, current.pending[index]));
    const pending = pendingSame
      ? before.pending
      : current.pending.map(({ submission, sent }) => ({
          ...submission,
          status: sent ? ("sent" as const) : ("queued" as const),
        }));
    const unchanged =
      pendingSame &&
      before.status === status &&
      before.error === failure &&
      before.ready === isReady() &&
      before.version === version() &&
      before.rejections === own.list;
    const error = failure && { error: failure };
    const tellState = state.set(current.view);
    const tellSync = sync.set(
      unchanged ? before : { status, ...error, ready: isReady(), version: version(), pending, rejections: own.list },
    );
    tellState();
    tellSync();
    if (isReady()) ready.resolve();
    else if (failure !== undefined) ready.reject(failure);
    if (current.pending.length === 0) void demand?.settle();
  }

  /** Takes a merge over; false when it could not be followed. */
  function take(merged: Merged): boolean {
    if (merged.outcome === "reject") return false;
    const wasReady = current.version >= 0;
    current = merged.next;
    for (const { submission, rejection: why } of merged.dropped)
      outbox.settle(submission.id, own.refuse(submission, why, version(), actor), "here");
    show();
    for (const commit of merged.commits) commitListeners.notify(commit);
    for (const commit of merged.settled)
      outbox.settle(commit.id, { accepted: true, version: commit.version, commit }, "authority");
    // What an earlier replica left counts as sent, and was not sent here.
    if (!wasReady && current.version >= 0) send("all");
    return true;
  }

  function receive(message: TransportMessage): void {
    const side = { definition, actor };
    switch (message.type) {
      case "welcome":
        if (welcomed !== undefined && !sameActor(welcomed, message.actor)) disown(welcomed, message.actor);
        actor = welcomed = message.actor;
        meet(message.incarnation);
        break;
      case "snapshot": {
        const expected = replaced ? "any" : lost === "mismatch" ? "as new" : "newer";
        const wasReplaced = replaced;
        replaced = false;
        if (take(mergeSnapshot(side, current, message.snapshot, expected))) lost = undefined;
        if (wasReplaced) send("all");
        break;
      }
      case "commits": {
        // A stream from the beginning begins with a snapshot: what is before it says nothing.
        if (current.version < 0 || replaced) break;
        const merged = mergeCommits(side, current, message.commits);
        if (!take(merged)) resume(merged.outcome === "reject" ? merged.why : "gap");
        else if (message.commits.length > 0) lost = undefined;
        break;
      }
      case "verdict": {
        const pending = current.pending.find(({ submission }) => submission.id === message.id);
        // Repeated, or too late to matter.
        if (pending === undefined || pending.acceptedAt !== undefined || replaced) break;
        if (!message.verdict.accepted) own.note(pending.submission, message.verdict);
        take(mergeVerdict(side, current, message.id, message.verdict));
        outbox.settle(message.id, message.verdict, "authority");
        break;
      }
      case "refusal":
        refusalListeners.notify(message.refusal);
        break;
    }
  }

  /** Somebody else is connected now: nothing is sent in their name that they did not do. */
  function disown(before: Actor, now: Actor): void {
    for (const { submission } of current.pending.filter(({ acceptedAt }) => acceptedAt === undefined)) {
      const message = `This edit was made by "${before.id}", and "${now.id}" is connected now: it was not sent again.`;
      const why = rejection("forbidden", typeOf(submission.operation), message, { reason: "other_actor" });
      const verdict = own.refuse(submission, why, version(), before);
      take(mergeVerdict({ definition, actor }, current, submission.id, verdict));
      outbox.settle(submission.id, verdict, "here");
    }
  }

  /** Another thread than before: what it has is only known from a snapshot. */
  function meet(next: string | undefined): void {
    if (next === undefined || next === incarnation) return;
    const first = incarnation === undefined;
    incarnation = next;
    if (first) return;
    replaced = current.version >= 0;
    lost = undefined;
    connect(undefined);
  }

  /**
   * The stream does not continue where this replica is: again from its version, or from a snapshot
   * when that did not help or cannot.
   */
  function resume(why: "gap" | "mismatch"): void {
    const helped = lost === undefined && why === "gap";
    lost = helped ? "gap" : "mismatch";
    connect(helped && current.version >= 0 ? current.version : undefined);
  }

  function connect(after: number | undefined): void {
    generation += 1;
    const mine = generation;
    connection?.close();
    connection = undefined;
    stand("connecting");
    show();
    const opened = transport.connect({
      after,
      onMessage: (message) => {
        if (mine === generation) receive(message);
      },
      onStatus: (next, error) => {
        if (mine !== generation) return;
        const cameOnline = next === "online" && status !== "online";
        stand(next, error);
        show();
        if (cameOnline) send("all");
      },
    });
    // What arrived while connecting may already have led to another connection.
    if (mine !== generation) return opened.close();
    connection = opened;
    send("all");
  }

  function stand(next: TransportStatus, error?: Error): void {
    status = next;
    failure = waitsForRetry(next) ? (error ?? new Error(`The authority's answer: ${next}.`)) : undefined;
    if (failure === undefined && ready.rejected) ready = new Readiness();
  }

  /**
   * Sends what waits, in order: what was never sent, or after a reconnection everything without a
   * verdict.
   */
  function send(which: "queued" | "all"): void {
    if (connection === undefined || status !== "online" || current.version < 0 || replaced) return;
    const due = current.pending
      .filter(({ sent, acceptedAt }) => acceptedAt === undefined && (which === "all" || !sent))
      .map(({ submission }) => submission);
    if (due.length === 0) return;
    current = markSent(current, new Set(due.map(({ id }) => id)));
    show();
    const mine = generation;
    for (const submission of due) if (mine === generation) connection?.send(submission);
  }

  function dispatch(
    update: unknown,
    { id = mintId(), expectedVersion }: { readonly id?: string; readonly expectedVersion?: number } = {},
  ): Promise<Verdict> {
    if (closed) return Promise.reject(new OpstateError("closed", "This replica is closed. Create another one."));
    const { operation, hash, unreadable } = readUpdate(definition, update);
    const submission = submissionOf(id, operation, expectedVersion);
    const known = outbox.find(id);
    if (known !== undefined) return known.hash === hash ? known.verdict : refuseNow(submission, reused(id, operation));
    if (unreadable !== undefined) return refuseNow(submission, unreadable);
    if (current.pending.length >= maxPending) return refuseNow(submission, full(submission, maxPending));
    const tried = submit({ definition, actor }, current, submission);
    if ("rejection" in tried) return refuseNow(submission, tried.rejection);
    current = tried.next;
    const verdict = outbox.add(id, hash);
    show();
    begin();
    if (status === "offline" || waitsForRetry(status)) connection?.retry?.();
    else send("queued");
    return verdict;
  }

  function begin(): void {
    if (closed || opened) return;
    opened = true;
    connect(current.version < 0 ? undefined : current.version);
  }

  /** What is pending keeps the connection: its verdict is to come. */
  function rest(): void {
    if (closed || !opened || current.pending.length > 0) return;
    opened = false;
    disconnect();
    show();
  }

  function disconnect(): void {
    generation += 1;
    connection?.close();
    connection = undefined;
    // What the authority said holds until it is asked again.
    if (!waitsForRetry(status)) status = "offline";
  }

  async function refuseNow(submission: Submission, why: Rejection): Promise<Verdict> {
    const verdict = own.refuse(submission, why, version(), actor);
    show();
    return verdict;
  }

  /** After this turn: it may be asked for while a page is rendered. */
  async function holdUntilReady(demand: RefCount): Promise<void> {
    const { promise } = ready;
    await Promise.resolve();
    const release = demand.hold();
    await promise.catch(() => undefined);
    release();
  }

  const demand = options.connect === "while watched" ? new RefCount(begin, rest) : undefined;
  const watched = <L>(subscribe: (listener: L) => () => void) => demand?.whileSubscribed(subscribe) ?? subscribe;
  if (demand === undefined || current.pending.length > 0) begin();

  const replica: Replica = {
    definition,
    getState: state.getState,
    getInitialState: state.getInitialState,
    subscribe: watched(state.subscribe),
    sync: { getState: sync.getState, getInitialState: sync.getInitialState, subscribe: watched(sync.subscribe) },
    dispatch,
    ready() {
      if (demand !== undefined && !isReady() && !ready.rejected) void holdUntilReady(demand);
      return ready.promise;
    },
    onCommit: watched((listener: (commit: Commit) => void) => commitListeners.add(listener)),
    onRejection: watched((listener: (refusal: Refusal) => void) => refusalListeners.add(listener)),
    close() {
      if (closed) return;
      closed = true;
      disconnect();
      const error = new OpstateError(
        "closed",
        "The replica was closed before the verdict came. What was sent may still be taken.",
      );
      outbox.fail(error);
      ready.reject(error);
      [status, failure] = ["closed", undefined];
      show();
    },
  };
  return replica as Replica<D>;
}

function sameAs(shown: PendingOperation, pending: Pending | undefined): boolean {
  return pending !== undefined && shown.id === pending.submission.id && (shown.status === "sent") === pending.sent;
}

function submissionOf(id: string, operation: unknown, expectedVersion: number | undefined): Submission {
  return { id, operation, ...(expectedVersion === undefined ? {} : { expectedVersion }) };
}

function full({ operation }: Submission, limit: number): Rejection {
  return rejection(
    "too_large",
    typeOf(operation),
    `${limit} operations wait for the authority already. Try again when it has answered.`,
    {
      reason: "queue_full",
    },
  );
}
