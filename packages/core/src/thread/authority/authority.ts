// The authority's loop: one for each open thread.
//
//   submit --> queue --> judge --> append --> publish
//                ^       (memory)  (log)      (state, listeners, verdicts)
//                |          |         |
//                |          +<--------+  another writer was first, or an id is known:
//                |                       catch up with the log, and judge again
//           follow(head): another writer's commits are read between two batches; again and again
//           while they cannot be read
//
// Invariants:
// - `confirmed` is what the log holds, never ahead of it.
// - Submissions are judged in call order. Those that wait together are judged and stored as one
//   batch.
// - Only what is stored is published. Commits are published one by one, except those that another
//   writer compacted before they were read.
// - A batch that meets another writer's commits, or an id that is known, is judged again from
//   scratch.
// - What takes long to be worked out, such as the undo of a long run, is set aside: others are
//   judged meanwhile, and it follows what they did.
// - A log that throws fails the batch and leaves the state.
// - When judging or publishing takes long, others run in between. Meanwhile nothing else moves
//   `confirmed`; what is submitted or announced waits for its turn.
// - Other processes may write to the same log: its fence decides.
// (Long because it is one loop, whose steps share the queue and the confirmed state.)
//
// Long because the loop and what it does at each of its stages share the state of one class.

import { defined } from "../../defined.ts";
import type { AnyDefinition } from "../../definition/definition.ts";
import { sameActor } from "../../engine/actor.ts";
import { SharedCopies } from "../../engine/shared-copies.ts";
import { OpstateError } from "../../error.ts";
import { Announced } from "./announced.ts";
import type { Judge } from "./approval.ts";
import { BatchNames } from "./batch-names.ts";
import type { Aside, Head } from "./computed.ts";
import { applyCommits, type Confirmed, confirm, confirmCommit } from "../confirmed.ts";
import type { Commit, Refusal, Verdict } from "../commit.ts";
import { type Judgement, type Judging, receiptOwner, judging } from "./decide.ts";
import { receiptKey } from "../log/receipt-key.ts";
import { readEarlier } from "./earlier-edits.ts";
import type { ParsedSubmission } from "./parse-submission.ts";
import type { ThreadLog } from "../log/adapter.ts";
import { boundedBytes } from "../log/entry-size.ts";
import type { FullLog, Receipt } from "../log/log.ts";
import { PAGE } from "../log/scan.ts";
import { Lineage } from "./lineage.ts";
import { isMerge, OPSTATE } from "../entries.ts";
import { Pace, type Scheduler } from "../pace.ts";
import { Attempts } from "./refusal.ts";
import { Retry } from "./retry.ts";

/** Submissions judged at once: enough to share a write, few enough to keep its latency. */
const BATCH_LIMIT = 512;

/** Milliseconds from which on an operation is reported. */
const SLOW = 50;

interface QueuedSubmission {
  readonly submission: ParsedSubmission;
  resolve(verdict: Verdict): void;
  reject(error: unknown): void;
}

export interface AuthorityOptions {
  readonly definition: AnyDefinition;
  readonly judge: Judge;
  readonly log: FullLog;
  readonly threadId: string;
  readonly confirmed: Confirmed;
  readonly version: number;
  /** Up to this version receipts are gone. */
  readonly receiptFloor: number;
  readonly scheduler: Scheduler;
  /** The incarnation of the thread, when it is a branch. */
  readonly branch: string | undefined;
  /** Called after a commit became durable, in version order. */
  onCommit(commit: Commit, after: Confirmed): void;
  /** Called instead when another writer compacted the commits in between. */
  onJump(now: Confirmed): void;
  onRefusal(refusal: Refusal): void;
  /** Called for an operation that took long to judge. */
  onSlow(submission: ParsedSubmission, milliseconds: number): void;
}

export class Authority {
  #confirmed: Confirmed;
  #version: number;
  readonly #options: AuthorityOptions;
  readonly #attempts = new Attempts();
  #restored = false;
  #queue: QueuedSubmission[] = [];
  #running: Promise<void> | undefined;
  readonly #announced = new Announced();
  readonly #retry = new Retry(() => this.#readAnnounced());
  readonly #lineage: Lineage;
  /** The handle of this thread. */
  readonly #thread: ThreadLog;
  #receiptFloor: number;
  /** What the log gave with the head, where it gives such. */
  #token: { readonly version: number; readonly token: string } | undefined;
  /** That of the present run of the loop. */
  #pace: Pace;

  constructor(options: AuthorityOptions) {
    this.#options = options;
    this.#confirmed = options.confirmed;
    this.#version = options.version;
    this.#pace = new Pace(options.scheduler);
    this.#lineage = new Lineage(options);
    this.#thread = options.log.thread(options.threadId);
    this.#receiptFloor = options.receiptFloor;
  }

  /** The newest confirmed state, and its version. */
  get head(): Head {
    return { confirmed: this.#confirmed, version: this.#version };
  }

  get version(): number {
    return this.#version;
  }

  submit(submission: ParsedSubmission): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ submission, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /**
   * Another writer may have moved the head: its commits are read between two batches. It is a hint
   * and may be old.
   */
  follow(head: number): void {
    this.#announced.announce(head);
    this.#readAnnounced();
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Nothing is read by itself any more. What is submitted is still judged. */
  close(): void {
    this.#retry.close();
  }

  #readAnnounced(): void {
    if (this.#announced.beyond(this.#version) !== undefined) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // What is submitted in this turn joins the batch.
    await Promise.resolve();
    this.#pace = new Pace(this.#options.scheduler);
    let unread: number | undefined;
    for (
      let first = true;
      this.#queue.length > 0 || this.#announced.beyond(this.#version, unread) !== undefined;
      first = false
    ) {
      if (!first && this.#pace.isOver) await this.#pace.next();
      const head = this.#announced.beyond(this.#version, unread);
      if (head !== undefined) {
        try {
          await this.#catchUp();
          this.#announced.markRead(head);
          this.#retry.reset();
        } catch {
          // A submission meets the same fault, and reports it. Nobody may submit, and a log may
          // tell each head once: it is read again later.
          unread = head;
          this.#retry.later();
        }
      }
      // Heads may be announced faster than they are read: submissions are judged in between.
      if (this.#queue.length === 0) continue;
      const batch = this.#queue.splice(0, batchSize(this.#queue));
      try {
        const taken = await this.#process(batch);
        // The log takes no more at once.
        if (taken < batch.length) this.#queue = [...batch.slice(taken), ...this.#queue];
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }

  /** Returns how many of the batch were taken, at least one. */
  async #process(batch: readonly QueuedSubmission[]): Promise<number> {
    const submissions = batch.map(({ submission }) => submission);
    for (const { timing } of submissions) timing?.take(batch.length);
    const judgements = await this.#store(submissions);
    if ("aside" in judgements) {
      this.#setAside(batch, judgements);
      return batch.length;
    }
    for (const [index, judgement] of judgements.entries()) {
      if (index > 0 && this.#pace.isOver) await this.#pace.next();
      this.#publish(judgement);
    }
    const taken = batch.slice(0, judgements.length);
    await Promise.all(
      taken.map(({ resolve, reject }, index) => this.#verdict(judgements[index]).then(resolve, reject)),
    );
    return taken.length;
  }

  /** It is judged when it is worked out, before what was submitted meanwhile and still waits. */
  #setAside([queued]: readonly QueuedSubmission[], { aside }: Aside): void {
    if (queued === undefined) return;
    const { submission, resolve, reject } = queued;
    const goOn = (compute: Awaited<Aside["aside"]>) => {
      this.#queue.unshift({ submission: { ...submission, compute }, resolve, reject });
      this.#running ??= this.#run();
    };
    aside.then(goOn, reject);
  }

  /**
   * Judges until the judgements are stored. The common batch needs no read: the append reports an
   * id that is known, or a state that is old. Only a verdict that is not stored needs a read first.
   * Of a batch that is more than one append takes, the beginning.
   */
  async #store(submissions: readonly ParsedSubmission[]): Promise<readonly Judgement[] | Aside> {
    const { definition, log, threadId, judge } = this.#options;
    const { limits } = log;
    let known: ReadonlyMap<string, Receipt> | undefined;
    if (submissions[0]?.dedupeKey !== undefined) {
      // Its refusal would be stored under another id than its effect, so the append would not
      // report that the effect is stored already.
      await this.#catchUp();
      known = await this.#lookUp(submissions);
    }
    for (;;) {
      const { head } = this;
      const compute = submissions[0]?.unreadable === undefined ? submissions[0]?.compute : undefined;
      const timing = submissions[0]?.timing;
      const computed =
        compute === undefined ? undefined : await (timing ? timing.judgeLater(() => compute(head)) : compute(head));
      if (computed !== undefined && "aside" in computed) return computed;
      const changesThings = compute === undefined || computed?.proposed !== undefined;
      const names = changesThings ? await this.#names(submissions) : undefined;
      const copies = submissions.length > 1 && names === undefined ? new SharedCopies() : undefined;
      const { bytes: mostBytes } = limits;
      const context = { ...head, judge, known, computed, names, copies, mostBytes, receiptFloor: this.#receiptFloor };
      const batch = judging(definition, { ...context, attempts: this.#attempts });
      const judgements: Judgement[] = [];
      let [bytes, count] = [0, 0];
      for (const submission of submissions) {
        if (judgements.length > 0 && this.#pace.isOver) await this.#pace.next();
        const { timing } = submission;
        const judgement = timing ? timing.judge(() => this.#timed(batch, submission)) : this.#timed(batch, submission);
        if ("entry" in judgement) {
          count += 1;
          if (mostBytes !== Infinity) bytes += boundedBytes(judgement.entry, mostBytes - bytes);
          if (count > 1 && (count > limits.entries || bytes > mostBytes)) break;
        }
        judgements.push(judgement);
      }
      batch.end();
      if (!this.#restored && judgements.some(({ kind }) => kind === "refused" || kind === "notFinal")) {
        this.#attempts.restore(await log.refusals(threadId, { limit: PAGE }));
        this.#restored = true;
        continue;
      }
      if (known === undefined && judgements.some(({ kind }) => kind === "notFinal")) {
        await this.#catchUp();
        known = await this.#lookUp(submissions);
        continue;
      }
      const entries = judgements.flatMap((judgement) => ("entry" in judgement ? [judgement.entry] : []));
      if (entries.length === 0) return judgements;
      const token = this.#token?.version === this.#version ? this.#token.token : undefined;
      const observed = submissions.slice(0, judgements.length);
      const stopClocks = observed.map((submission) => submission.timing?.append());
      const appended = await this.#thread.append({ version: this.#version, ...defined({ token }) }, entries);
      for (const stop of stopClocks) stop?.();
      if (appended.status === "appended") {
        const commits = entries.filter(({ commit }) => commit !== undefined).length;
        this.#token =
          appended.token === undefined ? undefined : { version: this.#version + commits, token: appended.token };
        return judgements;
      }
      for (const submission of observed) submission.timing?.conflict();
      if (appended.status === "fenced")
        throw new OpstateError("log_unavailable", `Another process owns thread "${threadId}". Send it again there.`);
      if (appended.status === "expired") this.#receiptFloor = Math.max(this.#receiptFloor, appended.receiptFloor);
      if (appended.status === "stale" && appended.token !== undefined)
        this.#token = { version: appended.version, token: appended.token };
      // A duplicate may be an own commit: the log stored it, and its answer was lost.
      await this.#catchUp(appended.status === "stale" ? appended.version : undefined);
      known = await this.#lookUp(submissions);
    }
  }

  /** Others wait while a reducer runs: that is its author's to know. */
  #timed({ judge }: Judging, submission: ParsedSubmission): Judgement {
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
    const version = this.#version;
    if (bases.length === 0) return undefined;
    await this.#lineage.prepare(bases, { version, state: this.#confirmed.state }, this.#pace);
    const earlier = await readEarlier(log, threadId, submissions, version);
    return new BatchNames({ definition, branch, judge, lineage: this.#lineage, version, earlier });
  }

  async #lookUp(submissions: readonly ParsedSubmission[]): Promise<ReadonlyMap<string, Receipt>> {
    const { log, threadId } = this.#options;
    const receipts = await Promise.all(
      submissions.map(receiptOwner).map(({ actor, id }) => log.receipt(threadId, actor, id)),
    );
    return new Map(
      receipts.flatMap((receipt) =>
        receipt === undefined ? [] : [[receiptKey(receipt.actor, receipt.id), receipt] as const],
      ),
    );
  }

  /**
   * Reads what another writer committed. `head` is the one that the log reported: it must lie
   * ahead, and reading must lead there.
   */
  async #catchUp(head?: number): Promise<void> {
    const { definition, onCommit } = this.#options;
    if (head !== undefined && head <= this.#version) throw this.#corrupt(`its head is version ${head}`);
    for (let isMore = true; isMore;) {
      // A page may end early: its commits are large.
      const { items: page, next } = await this.#thread.commits({ after: this.#version, limit: PAGE });
      const [first] = page;
      const target = Math.max(head ?? 0, this.#announced.beyond(this.#version) ?? 0);
      if ((first === undefined ? target : first.version - 1) > this.#version && (await this.#jump())) continue;
      isMore = next !== undefined;
      for (const commit of page) {
        if (this.#pace.isOver) await this.#pace.next();
        if (commit.version !== this.#version + 1) throw this.#corrupt(`it continues with version ${commit.version}`);
        this.#confirmed = confirmCommit(definition, this.#confirmed, commit);
        this.#version = commit.version;
        this.#lineage.add(commit, this.#confirmed);
        onCommit(commit, this.#confirmed);
      }
    }
    if (head !== undefined && this.#version < head)
      throw this.#corrupt(`its head is version ${head}, but it has nothing more to read`);
  }

  /**
   * Another writer compacted what was still to be read: the stored state after it is adopted. False
   * when nothing was compacted.
   */
  async #jump(): Promise<boolean> {
    const { definition, log, threadId, onJump } = this.#options;
    const stored = await log.load(threadId);
    if (stored === undefined || stored.info.floor <= this.#version) return false;
    const { snapshot, commits } = stored;
    this.#confirmed = confirm(definition, await applyCommits(snapshot.state, snapshot.version, commits, this.#pace));
    this.#version = snapshot.version + commits.length;
    this.#lineage.invalidate();
    onJump(this.#confirmed);
    return true;
  }

  #corrupt(what: string): OpstateError {
    return new OpstateError(
      "corrupt_log",
      `The log of thread "${this.#options.threadId}" does not follow version ${this.#version}: ${what}. Open the thread again.`,
    );
  }

  #publish(judgement: Judgement): void {
    switch (judgement.kind) {
      case "committed":
        this.#confirmed = judgement.confirmed;
        this.#version = judgement.commit.version;
        this.#lineage.add(judgement.commit, judgement.confirmed, judgement.named);
        this.#options.onCommit(judgement.commit, judgement.confirmed);
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

  async #verdict(judgement: Judgement | undefined): Promise<Verdict> {
    switch (judgement?.kind) {
      case "committed":
        return { accepted: true, version: judgement.commit.version, commit: judgement.commit };
      case "unchanged":
        return { accepted: true, version: judgement.version };
      case "refused":
        return refusedVerdict(judgement.refusal);
      case "notFinal":
        return {
          accepted: false,
          version: judgement.version,
          rejection: judgement.rejection,
          attempt: judgement.attempt,
        };
      case "known":
        return this.#knownVerdict(judgement.receipt);
      case undefined:
        throw new Error("A submission was left without a verdict.");
    }
  }

  async #knownVerdict({ actor, id, outcome }: Receipt): Promise<Verdict> {
    if (!outcome.accepted) return refusedVerdict(outcome.refusal);
    const { log, threadId } = this.#options;
    const [commit] = outcome.version === 0 ? [] : await log.read(threadId, { after: outcome.version - 1, limit: 1 });
    const owner = commit !== undefined && isMerge(commit.operation) ? OPSTATE : commit?.actor;
    const isOwn =
      commit?.version === outcome.version && commit.id === id && owner !== undefined && sameActor(owner, actor);
    return isOwn ? { accepted: true, version: outcome.version, commit } : { accepted: true, version: outcome.version };
  }
}

/**
 * How much of the queue is one batch: up to the first submission that is judged apart, and that one
 * alone when it comes first.
 */
function batchSize(queue: readonly QueuedSubmission[]): number {
  const apart = queue.findIndex(({ submission }) => submission.compute !== undefined);
  return apart < 0 ? BATCH_LIMIT : Math.max(1, Math.min(apart, BATCH_LIMIT));
}

function refusedVerdict({ version, rejection, attempt }: Refusal): Verdict {
  return { accepted: false, version, rejection, attempt };
}
