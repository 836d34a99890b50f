// What one process has of a thread: its authority, and what follows its commits. All who opened the
// thread share it.
//
//   openThread() -> Thread ─┐  own clock, ids, listeners, branches, `close`
//   openThread() -> Thread ─┴─ OpenedThread ─ authority, log, upkeep      one for a log and an id
//
// Invariants:
// - It ends when its last holder released it, or when the log has the thread no more.
// - Once it has ended it has no holder again.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { OpstateError } from "../../error.ts";
import { judgeOf } from "../authority/approval.ts";
import { Authority } from "../authority/authority.ts";
import { oldestFork } from "../branch/branches-of.ts";
import type { Commit, Refusal } from "../commit.ts";
import { ConfirmedSource } from "../confirmed-source.ts";
import { isRedact } from "../entries.ts";
import { Listeners } from "../listeners.ts";
import { incarnationLog } from "../log/incarnation-log.ts";
import type { FullLog, ThreadInfo } from "../log/log.ts";
import type { ReceiptOptions } from "../log/receipt-time.ts";
import { timedLog } from "../log/timed-log.ts";
import type { Scheduler } from "../pace.ts";
import { openProposals } from "../proposal/calls.ts";
import { ProposedThings } from "../proposal/same-things.ts";
import { ProposalIndex } from "../proposal/undecided.ts";
import type { SlowOperation } from "../options.ts";
import { typeOf } from "../type-of.ts";
import type { Loaded } from "../upkeep/load.ts";
import { ReceiptUpkeep } from "../upkeep/receipt-upkeep.ts";
import { Upkeep } from "../upkeep/upkeep.ts";

export interface OpenedThreadOptions {
  readonly definition: AnyDefinition;
  readonly log: FullLog;
  readonly threadId: string;
  readonly clock: () => string;
  readonly scheduler: Scheduler;
  readonly snapshotEvery: number | undefined;
  readonly compact: { readonly keep: number } | undefined;
  readonly receipts: ReceiptOptions | undefined;
  readonly logTimeout: number | undefined;
}

/** Commits between two snapshots. */
const SNAPSHOT_EVERY = 500;

type Holder = (reason: OpstateError) => void;

export class OpenedThread {
  readonly definition: AnyDefinition;
  readonly info: ThreadInfo;
  readonly scheduler: Scheduler;
  /** The log as this thread sees it. */
  readonly log: FullLog;
  readonly authority: Authority;
  readonly source: ConfirmedSource;
  readonly proposals: ProposalIndex;
  readonly things: ProposedThings;
  readonly upkeep: Upkeep;
  readonly #receipts: ReceiptUpkeep;
  readonly commits = new Listeners<Commit>();
  readonly refusals = new Listeners<Refusal>();
  readonly slow = new Listeners<SlowOperation>();
  /** What the openers set; undefined where none of them set it. */
  readonly settings: {
    snapshotEvery: number | undefined;
    compact: number | undefined;
    receipts: number | undefined;
    logTimeout: number | undefined;
  };
  readonly #holders = new Set<Holder>();
  readonly #stopWatching: (() => void) | undefined;
  readonly #onEnd: () => void;
  #hasEnded = false;

  /** `onEnd`: called once, in the step in which it ends. */
  constructor(
    { definition, log, threadId, clock, scheduler, snapshotEvery, compact, receipts, logTimeout }: OpenedThreadOptions,
    { confirmed, version, savedVersion, info }: Loaded,
    onEnd: () => void,
  ) {
    const { incarnation, parent } = info;
    const branch = parent === undefined ? undefined : incarnation;
    const settings = { snapshotEvery, compact: compact?.keep, receipts: receipts?.keep, logTimeout };
    this.definition = definition;
    this.info = info;
    this.scheduler = scheduler;
    this.settings = settings;
    const timed = timedLog(log, () => settings.logTimeout ?? Infinity);
    this.log = incarnationLog(timed, info, (error) => this.#end(error));
    this.source = new ConfirmedSource(confirmed);
    this.authority = new Authority({
      definition,
      judge: judgeOf(definition, branch),
      log: this.log,
      threadId,
      confirmed,
      version,
      receiptFloor: info.receiptFloor ?? 0,
      keepReceipts: () => settings.receipts,
      scheduler,
      branch,
      onCommit: (commit, after) => {
        if (isRedact(commit.operation)) this.#forget();
        this.proposals.add(commit);
        this.things.add(commit, after);
        this.source.set(after);
        this.commits.notify(commit);
        this.upkeep.afterCommit(commit.version, after);
        this.#receipts.afterCommit(commit);
      },
      onJump: (now) => {
        this.#forget();
        this.source.set(now);
      },
      onRefusal: (refusal) => this.refusals.notify(refusal),
      onSlow: ({ operation, actor, id }, milliseconds) =>
        this.slow.notify({ threadId, type: typeOf(operation), actor, id, milliseconds }),
    });
    this.things = new ProposedThings({ definition, log: this.log, threadId, branch, scheduler }, version);
    this.proposals = new ProposalIndex(this.log, threadId, () => this.authority.version);
    // Neither open proposals nor what open branches share with this thread may be removed.
    const limit = async () => {
      const [proposal] = await openProposals(this.proposals, clock());
      return Math.min((proposal?.version ?? Infinity) - 1, await oldestFork(this.log, info));
    };
    this.#receipts = new ReceiptUpkeep({ log: this.log, threadId, keep: () => settings.receipts, limit });
    this.upkeep = new Upkeep({
      log: this.log,
      threadId,
      definitionVersion: definition.version,
      savedVersion,
      floor: info.floor,
      snapshotEvery: () => settings.snapshotEvery ?? SNAPSHOT_EVERY,
      scheduler,
      keep: () => (parent === undefined ? settings.compact : undefined),
      limit,
    });
    this.#onEnd = onEnd;
    this.#stopWatching = log.watch?.(threadId, (head, of = incarnation) => {
      if (of === incarnation) this.authority.follow(head);
      // It may be an old hint. When the thread was replaced, reading its info ends this.
      else void this.log.info(threadId).catch(() => undefined);
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Keeps it open until `release`. The holder is called when the log has the thread no more. */
  hold(holder: Holder): void {
    this.#holders.add(holder);
  }

  /** Resolves when nothing is under way any more, if there is no other holder. */
  async release(holder: Holder): Promise<void> {
    this.#holders.delete(holder);
    if (this.#holders.size > 0) return;
    this.#end();
    await this.authority.idle();
    await this.upkeep.idle();
    await this.#receipts.idle();
  }

  /**
   * Follows the log as far as it is now. Throws an OpstateError (`replaced`) when the log has the
   * thread no more.
   */
  async refresh(): Promise<void> {
    const info = await this.log.info(this.info.threadId);
    await this.reach(info?.version ?? 0);
  }

  /** Follows the log to a version that it is said to have. Resolves too when it has it not. */
  async reach(head: number): Promise<void> {
    if (head <= this.authority.version) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        end();
        resolve();
      };
      const end = this.commits.add(({ version }) => {
        if (version >= head) finish();
      });
      this.authority.follow(head);
      // What another writer compacted is read without its commits.
      void this.authority.idle().then(finish);
    });
  }

  /** What was read of the log is no longer what it contains. */
  #forget(): void {
    this.proposals.invalidate();
    this.things.invalidate();
  }

  #end(reason?: OpstateError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopWatching?.();
    this.authority.close();
    void this.authority.idle().then(() => this.things.invalidate());
    this.#onEnd();
    if (reason !== undefined) for (const holder of [...this.#holders]) holder(reason);
  }
}
