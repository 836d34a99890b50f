// A thread as one of those who opened it holds it: with a clock, ids, listeners and branches of its
// own, over the authority that all of them share.
//
// Invariants:
// - What a listener is given is durable, and `getState` and `version` show it already.
// - After `close` nothing is submitted. What was submitted before gets its verdict, the listeners
//   are notified of it, and then of nothing more.
//
// Long because the public calls of a thread follow one another here. What each does is in a file of
// its own.

import { defined } from "../../defined.ts";
import { OpstateError } from "../../error.ts";
import { callEach } from "../../readable.ts";
import { besideQueue } from "../authority/beside-queue.ts";
import { type Computed, type Head, refuse } from "../authority/computed.ts";
import { observedSubmit } from "../authority/observed.ts";
import { parseSubmission } from "../authority/parse-submission.ts";
import { ownUpdate, readUpdate } from "../authority/read-update.ts";
import { type SubmitComputed, submitter } from "../authority/submit.ts";
import { branchCalls } from "../branch/calls.ts";
import type { Verdict } from "../commit.ts";
import { REDACT, type RedactOperation, UNDO } from "../entries.ts";
import { holdThread } from "./hold.ts";
import { Listeners } from "../listeners.ts";
import { scanBackwards } from "../log/scan.ts";
import { readStateAt } from "../log/state-at.ts";
import type { ThreadObserver } from "../observe.ts";
import type { OpenedThread } from "./opened-thread.ts";
import type { DispatchOptions, SlowOperation } from "../options.ts";
import { Pace } from "../pace.ts";
import { proposalCalls } from "../proposal/calls.ts";
import { digestSince } from "../reading/digest.ts";
import { explain } from "../reading/explain.ts";
import { historyParts, readHistory } from "../reading/history.ts";
import { marks, redact } from "../redact/redact.ts";
import { reaches } from "../reading/reach.ts";
import { hasRight } from "../rights.ts";
import type { Thread } from "../thread.ts";
import { parseUndo } from "../undo/request.ts";
import { computeUndo, type Undone } from "../undo/undo.ts";

export interface HolderOptions {
  readonly clock: () => string;
  readonly mintId: () => string;
  readonly onError: ((error: unknown) => void) | undefined;
  readonly observe: ThreadObserver | undefined;
  readonly onSlow: ((slow: SlowOperation) => void) | undefined;
  /** A thread of the same log, for the same holder; undefined when there is none. */
  readonly openStored: (threadId: string) => Promise<Thread | undefined>;
}

export function heldThread(
  opened: OpenedThread,
  { clock, mintId, onError, observe, onSlow, openStored }: HolderOptions,
): Thread {
  const { definition, info, log, authority, source, upkeep, scheduler } = opened;
  const { threadId, incarnation, parent } = info;
  const ownBranch = parent === undefined ? undefined : incarnation;
  const mint = { id: mintId, now: clock };
  const initial = source.getState();
  const closeListeners = new Listeners<OpstateError | undefined>(onError);
  /** What ends each of its listeners. */
  const subscriptions = new Set<() => void>();
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  let closed = false;
  let closeReason: OpstateError | undefined;

  const hold = holdThread(opened, onReplaced);

  const submitObserved = observedSubmit({ authority, definition, threadId, scheduler }, observe);
  const submitComputed = submitter(authority, submitObserved, mint);
  const submit: SubmitComputed = async (...call) => {
    mustBeOpen();
    return tracked(submitComputed(...call));
  };
  const { closeBranches, ...branching } = branchCalls({
    definition,
    log,
    threadId,
    incarnation,
    clock,
    scheduler,
    head: () => authority.head,
    version: () => authority.version,
    submit,
    mustBeOpen,
    mustBeMain,
    checkVersion,
    openStored,
  });

  function end(reason?: OpstateError): void {
    if (closed) return;
    closed = true;
    closeReason = reason;
    closeListeners.notify(reason);
  }

  function onReplaced(reason: OpstateError): void {
    end(reason);
    void close();
  }

  async function close(): Promise<void> {
    end();
    closing ??= finish();
    return closing;
  }

  async function finish(): Promise<void> {
    await closeBranches();
    await Promise.allSettled(underWay);
    const released = hold.release();
    for (const unsubscribe of [...subscriptions]) unsubscribe();
    await released;
  }

  function mustBeOpen(): void {
    if (closeReason !== undefined) throw closeReason;
    if (closed) throw new OpstateError("closed", `Thread "${threadId}" is closed. Open it again with openThread.`);
  }

  function mustBeMain(why: string): void {
    mustBeOpen();
    if (parent === undefined) return;
    throw new OpstateError("invalid_branch", `"${threadId}" is a branch of "${parent.threadId}": ${why}`);
  }

  function checkVersion(version: number): void {
    if (Number.isSafeInteger(version) && version >= 0 && version <= authority.version) return;
    throw new RangeError(`Thread "${threadId}" has the versions 0 to ${authority.version}, not ${version}.`);
  }

  function tracked<T>(call: Promise<T>): Promise<T> {
    underWay.add(call);
    const forget = () => void underWay.delete(call);
    call.then(forget, forget);
    return call;
  }

  /**
   * `begin` adds a listener and returns its `unsubscribe`. An error of it goes to this holder.
   */
  function listen<Args extends unknown[]>(
    listener: (...args: Args) => void,
    begin: (guarded: (...args: Args) => void) => () => void,
  ): () => void {
    if (closing !== undefined) return () => undefined;
    hold.keep(onReplaced);
    const unsubscribe = begin((...args) => callEach([listener], (call) => call(...args), onError));
    const remove = () => {
      subscriptions.delete(remove);
      unsubscribe();
    };
    subscriptions.add(remove);
    return remove;
  }

  async function dispatch(update: unknown, dispatchOptions: DispatchOptions): Promise<Verdict> {
    mustBeOpen();
    const parsed = parseSubmission(readUpdate(definition, update), dispatchOptions, mint);
    if (!parsed.ok) return { accepted: false, version: authority.version, rejection: parsed.rejection, attempt: 1 };
    return tracked(submitObserved(parsed.submission));
  }

  if (onSlow !== undefined) listen(onSlow, (guarded) => opened.slow.add(guarded));

  const self: Thread = {
    ...proposalCalls({
      definition,
      branch: ownBranch,
      log,
      threadId,
      index: opened.proposals,
      clock,
      scheduler,
      head: () => ({ state: source.getState(), version: authority.version }),
      things: opened.things,
      submit,
      mustBeOpen,
    }),
    ...branching,
    threadId,
    definition,
    incarnation,
    parent,
    get version() {
      return authority.version;
    },
    get floor() {
      return upkeep.floor;
    },
    getState: source.getState,
    getInitialState: () => initial,
    subscribe: (listener) => listen(listener, source.subscribe),

    dispatch,
    submit: dispatch,

    async undo(target, { onDependent, allows, ...options }) {
      const parsed = parseUndo(target, onDependent);
      if (!parsed.ok) {
        const given = readUpdate(definition, { type: UNDO, ...target, ...defined({ onDependent }) });
        return submit(given, options, (_, { confirmed: present }) => refuse(present, parsed.rejection));
      }
      const { request } = parsed;
      let undone: Undone | undefined;
      return submit(ownUpdate(request), options, ({ actor }, head) => {
        const mayUndoOthers = hasRight(actor, "undo", allows);
        const context = { definition, log, threadId, actor, mayUndoOthers, scheduler, branch: ownBranch };
        const work = async (present: Head, pace: Pace): Promise<Computed> => {
          const earlier = undone;
          // What fails in the middle is worked out anew.
          undone = undefined;
          const found = await computeUndo(context, present, request, pace, earlier);
          ({ undone } = found);
          return found.computed;
        };
        return besideQueue(scheduler, work)(head);
      });
    },

    async history(range = {}) {
      mustBeOpen();
      return readHistory(log, threadId, range);
    },

    async *entries({ signal, ...range } = {}) {
      mustBeOpen();
      for await (const part of historyParts(log, threadId, range, new Pace(scheduler, signal))) yield* part;
    },

    async stateAt(version) {
      mustBeOpen();
      checkVersion(version);
      if (version === authority.version) return source.getState();
      return readStateAt(log, threadId, version, scheduler);
    },

    async explain(pointer, { signal } = {}) {
      mustBeOpen();
      const pace = new Pace(scheduler, signal);
      return explain(source.getState(), pointer, scanBackwards(log, threadId, authority.version, 0, pace), pace);
    },

    async digest(options) {
      mustBeOpen();
      return digestSince(definition, authority.version, (after) => log.read(threadId, { after }), options);
    },

    async compact(range) {
      mustBeMain("its history is what its diff is made from. Discard it when it is done.");
      const version = "keep" in range ? Math.max(0, authority.version - range.keep) : range.before - 1;
      if (!Number.isSafeInteger(version) || version < 0 || version > authority.version)
        throw new RangeError(
          `A range to compact is { keep: <a number of commits> } or { before: <a version from 1 to ${authority.version + 1}> }.`,
        );
      return upkeep.compact(version);
    },

    async redact({ actor, by }) {
      mustBeMain("erase it on the thread itself, which takes its branches along.");
      const context = {
        log,
        info,
        scheduler,
        thread: () => self,
        openBranch: self.openBranch,
        idle: () => upkeep.idle(),
        compactedTo: (version: number) => upkeep.compactedTo(version),
      };
      return tracked(redact(context, { actor: { ...actor }, by: { ...by } }));
    },

    onCommit: (listener) => listen(listener, (guarded) => opened.commits.add(guarded)),
    onRejection: (listener) => listen(listener, (guarded) => opened.refusals.add(guarded)),
    onClose: (listener) => {
      hold.keep(onReplaced);
      return closeListeners.add(listener);
    },
    close,
  };
  reaches.set(self, (version) => opened.reach(version));
  marks.set(self, ({ actor, by }) => {
    const operation: RedactOperation = { type: REDACT, author: actor };
    return submit(ownUpdate(operation), { actor: by }, (_, { confirmed: { state } }) => {
      return { transition: { accepted: true, state, operation, patches: [], inverse: [] }, records: true };
    });
  });
  return self;
}
