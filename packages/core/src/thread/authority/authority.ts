// The authority of a thread: one for each open thread. `step` says what it does next. Here it is
// done, and its end is an event for `step`.
//
//   submit --> queue --> judge --> append --> publish
//                ^       (memory)  (log)      (state, listeners, verdicts)
//                |          |         |
//                |          +<--------+  another writer was first, or an id is known:
//                |                       catch up with the log, and judge again
//           follow(head): another writer's commits are read between two batches
//
// Invariants:
// - Submissions are judged in call order. Those that wait together are judged and stored as one
//   batch.
// - Only what is stored is published.
// - A batch that meets another writer's commits, or an id that is known, is judged again from
//   scratch.
// - What takes long to compute, such as the undo of a long run, is set aside. Others are judged
//   meanwhile, and it follows what they did.
// - A log that throws fails the batch and leaves the state.
// - When judging or publishing takes long, others run in between. Meanwhile nothing else moves what
//   is confirmed; what is submitted or announced waits for its turn.
// - Other processes may write to the same log: its fence decides.
//
// (Long because all that is done to a batch shares the batch, the queue and the pace.)

import { defined } from "../../defined.ts";
import { SharedCopies } from "../../engine/shared-copies.ts";
import { OpstateError } from "../../error.ts";
import type { Judge } from "./approval.ts";
import { BatchNames } from "./batch-names.ts";
import type { Aside, Head } from "./computed.ts";
import { ConfirmedHead, type ConfirmedHeadOptions } from "./confirmed-head.ts";
import type { Refusal, Verdict } from "../commit.ts";
import { type Judgement, type BatchJudge, receiptOwners, createBatchJudge } from "./decide.ts";
import { receiptKey } from "../log/receipt-key.ts";
import { readEarlier } from "./earlier-edits.ts";
import type { ParsedSubmission } from "./parse-submission.ts";
import type { ThreadLog } from "../log/adapter.ts";
import { boundedBytes } from "../log/entry-size.ts";
import type { Receipt } from "../log/log.ts";
import { PAGE } from "../log/scan.ts";
import { Pace } from "../pace.ts";
import { ReceiptMemory } from "./remembered.ts";
import { Attempts } from "./refusal.ts";
import { Retry } from "./retry.ts";
import { type Effect, type Loop, headHeard, type LoopEvent, restingLoop, step } from "./step.ts";
import { verdictOf } from "./verdict.ts";

/** Submissions judged at once: enough to share a write, few enough to keep its latency. */
const BATCH_LIMIT = 512;

/** Milliseconds from which on an operation is reported. */
const SLOW = 50;

interface QueuedSubmission {
  readonly submission: ParsedSubmission;
  resolve(verdict: Verdict): void;
  reject(error: unknown): void;
}

/** The submissions that left the queue together, and their judgements. */
interface Batch {
  readonly queued: readonly QueuedSubmission[];
  readonly submissions: readonly ParsedSubmission[];
  /** The receipts of its ids, once they were read. */
  readonly known?: ReadonlyMap<string, Receipt>;
  /** Of all of it, or of its beginning when that is what one append takes. */
  readonly judgements: readonly Judgement[];
}

/** Effects that last until an event says how they ended. */
type Work = Exclude<Effect["do"], "reject" | "rejectWaiting" | "retryLater" | "retryReset">;

const NO_BATCH: Batch = { queued: [], submissions: [], judgements: [] };

export interface AuthorityOptions extends ConfirmedHeadOptions {
  readonly judge: Judge;
  /** Up to this version receipts are gone. */
  readonly receiptFloor: number;
  /** Milliseconds for which receipts are kept; undefined: for ever. */
  readonly keepReceipts?: () => number | undefined;
  onRefusal(refusal: Refusal): void;
  /** Called for an operation that took long to judge. */
  onSlow(submission: ParsedSubmission, milliseconds: number): void;
}

export class Authority {
  #loop: Loop;
  #queue: QueuedSubmission[] = [];
  #batch: Batch = NO_BATCH;
  readonly #options: AuthorityOptions;
  readonly #confirmed: ConfirmedHead;
  readonly #attempts = new Attempts();
  readonly #retry = new Retry(() => this.#happened({ type: "retryDue" }));
  /** The handle of this thread. */
  readonly #thread: ThreadLog;
  readonly #memory: ReceiptMemory;
  /** What the log gave with the head, where it gives such. */
  #token: { readonly version: number; readonly token: string } | undefined;
  /** That of the present stretch of work. */
  #pace: Pace;
  #whenIdle: (() => void)[] = [];

  constructor(options: AuthorityOptions) {
    this.#options = options;
    this.#loop = restingLoop(options.version);
    this.#confirmed = new ConfirmedHead(options);
    this.#pace = new Pace(options.scheduler);
    this.#thread = options.log.thread(options.threadId);
    this.#memory = new ReceiptMemory(this.#thread, options.receiptFloor, options.keepReceipts ?? (() => undefined));
  }

  /** The newest confirmed state, and its version. */
  get head(): Head {
    return this.#confirmed.head;
  }

  get version(): number {
    return this.#confirmed.version;
  }

  submit(submission: ParsedSubmission): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ submission, resolve, reject });
      this.#happened({ type: "submitted" });
    });
  }

  /**
   * Another writer may have moved the head: its commits are read between two batches. It is a hint
   * and may be old.
   */
  follow(head: number): void {
    this.#happened({ type: "announced", head });
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    if (this.#loop.stage.at !== "resting") await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Nothing is read by itself any more. What is submitted is still judged. */
  close(): void {
    this.#retry.close();
    void this.idle().then(() => this.#confirmed.lineage.invalidate());
  }

  #happened(event: LoopEvent): void {
    const { loop, effects } = step(this.#loop, event);
    this.#loop = loop;
    for (const effect of effects) this.#perform(effect);
    if (this.#loop.stage.at !== "resting") return;
    // What was worked out for the last batch, such as an undo, is large.
    this.#batch = NO_BATCH;
    this.#confirmed.lineage.release();
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case "reject":
        for (const { reject } of this.#batch.queued) reject(effect.error);
        return;
      case "rejectWaiting":
        for (const { reject } of this.#queue.splice(0)) reject(effect.error);
        return;
      case "retryLater":
        return this.#retry.later();
      case "retryReset":
        return this.#retry.reset();
      default:
        void this.#carryOut(effect.do, "head" in effect ? effect.head : undefined);
    }
  }

  /** What is under way ends with one event, whatever becomes of it. */
  async #carryOut(effect: Work, head?: number): Promise<void> {
    let event: LoopEvent;
    try {
      event = await this.#resultOf(effect, head);
    } catch (error) {
      const isTimedOut = error instanceof OpstateError && error.code === "timed_out";
      event = { type: "failed", version: this.version, error, isTimedOut };
    }
    this.#happened(event);
  }

  #resultOf(effect: Work, head: number | undefined): LoopEvent | Promise<LoopEvent> {
    switch (effect) {
      case "gather":
        this.#pace = new Pace(this.#options.scheduler);
        return { type: "gathered" };
      case "read":
        return this.#read(head);
      case "dequeue":
        return this.#pace.isOver ? this.#pace.next().then(() => this.#dequeue()) : this.#dequeue();
      case "lookUp":
        return this.#lookUp();
      case "judge":
        return this.#judge();
      case "restore":
        return this.#restore();
      case "append":
        return this.#append();
      case "publish":
        return this.#publish();
    }
  }

  async #read(head: number | undefined): Promise<LoopEvent> {
    if (this.#pace.isOver) await this.#pace.next();
    await this.#confirmed.catchUp(this.#pace, () => headHeard(this.#loop), head);
    return { type: "read", version: this.version };
  }

  /** Up to the first submission that is judged apart, and that one alone when it comes first. */
  #dequeue(): LoopEvent {
    const apart = this.#queue.findIndex(({ submission }) => submission.compute !== undefined);
    const size = apart < 0 ? BATCH_LIMIT : Math.max(1, Math.min(apart, BATCH_LIMIT));
    const queued = this.#queue.splice(0, size);
    const submissions = queued.map(({ submission }) => submission);
    for (const { timing } of submissions) timing?.dequeued(queued.length);
    this.#batch = { queued, submissions, judgements: [] };
    return { type: "dequeued", size: queued.length, isDeduped: submissions[0]?.dedupeKey !== undefined };
  }

  async #lookUp(): Promise<LoopEvent> {
    const { log, threadId } = this.#options;
    const receipts = await Promise.all(
      this.#batch.submissions.flatMap(receiptOwners).map(({ actor, id }) => log.receipt(threadId, actor, id)),
    );
    const known = new Map(
      receipts.flatMap((receipt) =>
        receipt === undefined ? [] : [[receiptKey(receipt.actor, receipt.id), receipt] as const],
      ),
    );
    this.#batch = { ...this.#batch, known };
    return { type: "lookedUp" };
  }

  /**
   * In memory. The common batch needs no read: the append reports an id that is known, or a state
   * that is old.
   */
  async #judge(): Promise<LoopEvent> {
    const { submissions, known } = this.#batch;
    const [first] = submissions;
    const { head } = this;
    const compute = first?.unreadable === undefined ? first?.compute : undefined;
    const timing = first?.timing;
    const computed = compute && (await (timing ? timing.judgeLater(() => compute(head)) : compute(head)));
    if (computed !== undefined && "aside" in computed) return this.#setAside(computed);
    const changesThings = compute === undefined || computed?.proposed !== undefined;
    const names = changesThings ? await this.#names(submissions) : undefined;
    const copies = submissions.length > 1 && names === undefined ? new SharedCopies() : undefined;
    const { definition, judge, log } = this.#options;
    const remembered = await this.#memory.at(first?.at ?? "");
    const { entries: mostEntries, bytes: mostBytes } = log.limits;
    const context = { ...head, judge, known, computed, names, copies, mostBytes, remembered };
    const batch = createBatchJudge(definition, { ...context, attempts: this.#attempts });
    const judgements: Judgement[] = [];
    let [bytes, count] = [0, 0];
    for (const submission of submissions) {
      if (judgements.length > 0 && this.#pace.isOver) await this.#pace.next();
      const { timing } = submission;
      const judgement = timing ? timing.judge(() => this.#timed(batch, submission)) : this.#timed(batch, submission);
      if ("entry" in judgement) {
        count += 1;
        if (mostBytes !== Infinity) bytes += boundedBytes(judgement.entry, mostBytes - bytes);
        if (count > 1 && (count > mostEntries || bytes > mostBytes)) break;
      }
      judgements.push(judgement);
    }
    batch.end();
    this.#batch = { ...this.#batch, judgements };
    const isRefusedForNow = judgements.some(({ kind }) => kind === "notFinal");
    const isRefused = isRefusedForNow || judgements.some(({ kind }) => kind === "refused");
    return { type: "judged", entries: entriesOf(judgements).length, isRefused, isRefusedForNow };
  }

  /** Others wait while a reducer runs, so a slow operation is reported. */
  #timed({ judge }: BatchJudge, submission: ParsedSubmission): Judgement {
    const { scheduler, onSlow } = this.#options;
    const start = scheduler.now();
    const judgement = judge(submission);
    const milliseconds = scheduler.now() - start;
    if (milliseconds >= SLOW) onSlow(submission, milliseconds);
    return judgement;
  }

  /** The names that a batch needs, when one of it says what it is based on. */
  async #names(submissions: readonly ParsedSubmission[]): Promise<BatchNames | undefined> {
    const { definition, judge, branch, log, threadId } = this.#options;
    const bases = submissions.flatMap(({ basedOn }) => basedOn ?? []);
    if (bases.length === 0) return undefined;
    const { confirmed, version } = this.head;
    const { lineage } = this.#confirmed;
    await lineage.prepare(bases, { version, state: confirmed.state }, this.#pace);
    const earlier = await readEarlier(log, threadId, submissions, version);
    return new BatchNames({ definition, branch, judge, lineage, version, earlier });
  }

  /** It is judged when it is worked out, before what was submitted meanwhile and still waits. */
  #setAside({ aside }: Aside): LoopEvent {
    const [queued] = this.#batch.queued;
    if (queued === undefined) throw new Error("What is set aside was in no batch.");
    const { submission, resolve, reject } = queued;
    const goOn = (compute: Awaited<Aside["aside"]>) => {
      this.#queue.unshift({ submission: { ...submission, compute }, resolve, reject });
      this.#happened({ type: "submitted" });
    };
    aside.then(goOn, reject);
    return { type: "setAside" };
  }

  async #restore(): Promise<LoopEvent> {
    const { log, threadId } = this.#options;
    this.#attempts.restore(await log.refusals(threadId, { limit: PAGE }));
    return { type: "restored" };
  }

  async #append(): Promise<LoopEvent> {
    const { submissions, judgements } = this.#batch;
    const entries = entriesOf(judgements);
    const { version } = this;
    const token = this.#token?.version === version ? this.#token.token : undefined;
    const observed = submissions.slice(0, judgements.length);
    const stopClocks = observed.map((submission) => submission.timing?.append());
    const appended = await this.#thread.append({ version, ...defined({ token }) }, entries);
    for (const stop of stopClocks) stop?.();
    if (appended.status === "appended") {
      const commits = entries.filter(({ commit }) => commit !== undefined).length;
      this.#token = appended.token === undefined ? undefined : { version: version + commits, token: appended.token };
      return { type: "appended" };
    }
    for (const submission of observed) submission.timing?.conflict();
    switch (appended.status) {
      case "fenced":
        throw new OpstateError(
          "not_owner",
          `Another process owns thread "${this.#options.threadId}" now, in epoch ${appended.epoch}. Nothing was stored: send it there, with the same id.`,
        );
      case "expired":
        this.#memory.raise(appended.receiptFloor);
        return { type: "outrun" };
      case "stale":
        if (appended.token !== undefined) this.#token = { version: appended.version, token: appended.token };
        return { type: "outrun", head: appended.version };
      default:
        // A duplicate may be an own commit: the log stored it, and its answer was lost.
        return { type: "outrun" };
    }
  }

  async #publish(): Promise<LoopEvent> {
    const { queued, judgements } = this.#batch;
    const { log, threadId } = this.#options;
    for (const [index, judgement] of judgements.entries()) {
      if (index > 0 && this.#pace.isOver) await this.#pace.next();
      this.#publishOne(judgement);
    }
    await Promise.all(
      judgements.map((judgement, index) => {
        const { resolve, reject } = queued[index] ?? {};
        return verdictOf(judgement, log, threadId).then(resolve, reject);
      }),
    );
    // The log accepts no more in one append.
    const left = queued.slice(judgements.length);
    if (left.length > 0) this.#queue = [...left, ...this.#queue];
    return { type: "published", version: this.version, left: left.length };
  }

  #publishOne(judgement: Judgement): void {
    switch (judgement.kind) {
      case "committed":
        this.#confirmed.advance(judgement.commit, judgement.confirmed, judgement.named);
        break;
      case "refused":
        this.#attempts.set(judgement.attemptKey, judgement.refusal.attempt);
        this.#options.onRefusal(judgement.refusal);
        break;
      case "notFinal":
        this.#attempts.set(judgement.attemptKey, judgement.attempt);
        break;
    }
  }
}

function entriesOf(judgements: readonly Judgement[]) {
  return judgements.flatMap((judgement) => ("entry" in judgement ? [judgement.entry] : []));
}
