// Opens a thread: loads or creates it, and wires the authority, the log and the listeners.
//
// Invariant: what a listener is given is durable, and `getState` and `version` show it already.
//
// Long because the public calls of a thread follow one another here. What each does is in a file of
// its own.

import type { AnyDefinition } from "../definition/definition.ts";
import { fullDefinition } from "../definition/full.ts";
import { defined } from "../defined.ts";
import { OpstateError } from "../error.ts";
import { createSource } from "../readable.ts";
import { judgeOf } from "./authority/approval.ts";
import { Authority } from "./authority/authority.ts";
import { refuse } from "./authority/computed.ts";
import { ownUpdate, readUpdate } from "./authority/read-update.ts";
import { branchCalls } from "./branch/calls.ts";
import type { Commit, Refusal, Verdict } from "./commit.ts";
import { digest } from "./reading/digest.ts";
import { explain } from "./reading/explain.ts";
import { readHistory } from "./reading/history.ts";
import { checkWellFormed } from "./id.ts";
import { parseSubmission } from "./authority/parse-submission.ts";
import { UNDO } from "./entries.ts";
import { Listeners } from "./listeners.ts";
import { type Loaded, loadOrCreate, loadThread } from "./upkeep/load.ts";
import type { Log } from "./log/log.ts";
import { hasRight } from "./rights.ts";
import { randomId } from "./random-id.ts";
import { eventLoop, Pace, type Scheduler } from "./pace.ts";
import { scanBackwards } from "./log/scan.ts";
import { incarnationLog } from "./log/incarnation-log.ts";
import { openProposals, proposalCalls } from "./proposal/calls.ts";
import { ProposedThings } from "./proposal/same-things.ts";
import { ProposalIndex } from "./proposal/undecided.ts";
import { readStateAt } from "./log/state-at.ts";
import { type SubmitComputed, submitter } from "./authority/submit.ts";
import type { DispatchOptions } from "./options.ts";
import type { Thread } from "./thread.ts";
import { parseUndo } from "./undo/request.ts";
import { computeUndo } from "./undo/undo.ts";
import { Upkeep } from "./upkeep/upkeep.ts";

export interface OpenThreadOptions<D extends AnyDefinition> {
  readonly definition: D;
  readonly log: Log;
  readonly threadId: string;
  /** The time that commits are stamped with, ISO 8601 in UTC; default now. */
  readonly clock?: () => string;
  /** Makes the id of a submission that has none; default 32 random hex digits. */
  readonly mintId?: () => string;
  /**
   * How long work lets others run in between; default by the host's clock and event loop.
   */
  readonly scheduler?: Scheduler;
  /**
   * A snapshot is stored after this many commits, so that opening need not replay them; default
   * 500.
   */
  readonly snapshotEvery?: number;
  /**
   * Removes older history by itself: at least the newest `keep` commits stay, at most about twice
   * as many. Default: all stay. A branch always keeps its history.
   */
  readonly compact?: { readonly keep: number };
  /** Called with what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
}

/** Tokens. */
const DIGEST_BUDGET = 500;
/** Commits that a digest reads at most. Older ones are counted. */
const DIGEST_READ = 500;

/**
 * Opens a thread, and creates it when the log does not have it. The returned thread is the
 * authority over its order: open it once in each process. Throws an OpstateError: `invalid_id` for
 * an id that is not well-formed text, `definition_mismatch` when the stored thread is of another
 * definition or a newer version of it, `corrupt_log` when what is stored does not fit together.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
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
 * const ada = { kind: "user", id: "ada" };
 * const verdict = await thread.dispatch(counter.op.add({ by: 1 }), { actor: ada });
 * verdict.accepted; // true
 * thread.version; // 1
 * thread.getState(); // { count: 1 }
 * ```
 */
export async function openThread<D extends AnyDefinition>(options: OpenThreadOptions<D>): Promise<Thread<D>> {
  const { log, threadId, clock = now, scheduler = eventLoop, compact } = options;
  const definition = fullDefinition(options.definition);
  if (compact !== undefined && !(Number.isSafeInteger(compact.keep) && compact.keep > 0))
    throw new RangeError(`"compact.keep" must be a number of commits from 1, not ${compact.keep}.`);
  checkWellFormed("A thread id", threadId);
  // Inside, states and operations are JSON; to the caller they have the types of its definition.
  const loaded = await loadOrCreate({ definition, log, threadId, clock, scheduler });
  return threadOver({ ...options, definition }, loaded) as Thread<D>;
}

function threadOver(
  options: OpenThreadOptions<AnyDefinition>,
  { confirmed, version: startVersion, savedVersion, info }: Loaded,
): Thread {
  const {
    definition,
    threadId,
    clock = now,
    mintId = randomId,
    scheduler = eventLoop,
    snapshotEvery = 500,
    compact,
    onError,
  } = options;
  const { incarnation, parent } = info;
  const ownBranch = parent === undefined ? undefined : incarnation;
  const log = incarnationLog(options.log, info, onReplaced);
  const mint = { id: mintId, now: clock };
  const source = createSource(confirmed.state, onError);
  const commitListeners = new Listeners<Commit>(onError);
  const refusalListeners = new Listeners<Refusal>(onError);
  const closeListeners = new Listeners<OpstateError | undefined>(onError);
  let closed = false;
  let closeReason: OpstateError | undefined;

  const authority = new Authority({
    definition,
    judge: judgeOf(definition, ownBranch),
    log,
    threadId,
    confirmed,
    version: startVersion,
    scheduler,
    branch: ownBranch,
    onCommit(commit, state) {
      proposals.add(commit);
      proposedThings.add(commit, state);
      source.set(state)();
      commitListeners.notify(commit);
      upkeep.afterCommit(commit.version, state);
    },
    onJump(state) {
      proposals.invalidate();
      proposedThings.invalidate();
      source.set(state)();
    },
    onRefusal: (refusal) => refusalListeners.notify(refusal),
  });
  const submit: SubmitComputed = async (...call) => {
    mustBeOpen();
    return submitComputed(...call);
  };
  const submitComputed = submitter(authority, mint);
  const proposedThings = new ProposedThings({ definition, log, threadId, branch: ownBranch, scheduler }, startVersion);
  const proposals = new ProposalIndex(log, threadId, () => authority.version);
  const upkeep = new Upkeep({
    log,
    threadId,
    definitionVersion: definition.version,
    savedVersion,
    floor: info.floor,
    snapshotEvery,
    scheduler,
    keep: parent === undefined ? compact?.keep : undefined,
    // Open proposals are kept, and what open branches have in common with this thread.
    limit: async () => {
      const [proposal] = await openProposals(proposals, clock());
      return Math.min((proposal?.version ?? Infinity) - 1, await oldestFork());
    },
  });
  const { closeBranches, oldestFork, ...branching } = branchCalls({
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
    async openStored(id) {
      const loaded = await loadThread({ definition, log, threadId: id, clock, scheduler });
      return loaded && threadOver({ ...options, threadId: id }, loaded);
    },
  });
  const stopWatching = options.log.watch?.(threadId, (head, of = incarnation) => {
    if (of === incarnation) authority.follow(head);
    // It may be an old hint. When the thread was replaced, reading its info closes it.
    else void log.info(threadId).catch(() => undefined);
  });

  function end(reason?: OpstateError): void {
    if (closed) return;
    closed = true;
    closeReason = reason;
    stopWatching?.();
    closeListeners.notify(reason);
  }

  function onReplaced(error: OpstateError): void {
    end(error);
    void closeBranches();
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

  async function dispatch(update: unknown, dispatchOptions: DispatchOptions): Promise<Verdict> {
    mustBeOpen();
    const parsed = parseSubmission(readUpdate(definition, update), dispatchOptions, mint);
    if (!parsed.ok) return { accepted: false, version: authority.version, rejection: parsed.rejection, attempt: 1 };
    return authority.submit(parsed.submission);
  }

  const thread: Thread = {
    ...proposalCalls({
      definition,
      branch: ownBranch,
      log,
      threadId,
      index: proposals,
      clock,
      scheduler,
      head: () => ({ state: source.getState(), version: authority.version }),
      things: proposedThings,
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
    getInitialState: source.getInitialState,
    subscribe: source.subscribe,

    dispatch,
    submit: dispatch,

    async undo(target, { onDependent, allows, ...options }) {
      const parsed = parseUndo(target, onDependent);
      if (!parsed.ok) {
        const given = readUpdate(definition, { type: UNDO, ...target, ...defined({ onDependent }) });
        return submit(given, options, (_, { confirmed: present }) => refuse(present, parsed.rejection));
      }
      return submit(ownUpdate(parsed.request), options, ({ actor }, head) => {
        const mayUndoOthers = hasRight(actor, "undo", allows);
        return computeUndo(
          { definition, log, threadId, actor, mayUndoOthers, scheduler, branch: ownBranch },
          head,
          parsed.request,
        );
      });
    },

    async history(range = {}) {
      mustBeOpen();
      return readHistory(log, threadId, range);
    },

    async stateAt(version) {
      mustBeOpen();
      checkVersion(version);
      if (version === authority.version) return source.getState();
      return readStateAt(log, threadId, version, scheduler);
    },

    async explain(pointer) {
      mustBeOpen();
      return explain(source.getState(), pointer, scanBackwards(log, threadId, authority.version), new Pace(scheduler));
    },

    async digest({ since, for: reader, budget = DIGEST_BUDGET }) {
      mustBeOpen();
      const after = Math.max(since, authority.version - DIGEST_READ);
      const commits = after >= authority.version ? [] : await log.read(threadId, { after });
      // Compaction may have removed more than the limit leaves out.
      const known = (commits[0]?.version ?? authority.version + 1) - 1;
      return digest(definition, commits, { since, unread: Math.max(0, known - since), for: reader, budget });
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

    onCommit: (listener) => commitListeners.add(listener),
    onRejection: (listener) => refusalListeners.add(listener),
    onClose: (listener) => closeListeners.add(listener),

    async close() {
      end();
      await closeBranches();
      await authority.idle();
      await upkeep.idle();
    },
  };
  return thread;
}

function now(): string {
  return new Date().toISOString();
}
