// The servers of a simulated world: two processes, each with an authority over the same thread in
// the same log. They are restarted, die and compact. Another process may delete their thread at any
// time: each notices by itself and opens the thread that has the name then. Each opens the branches
// that it needs.

import { type Actor, type Branch, openThread, type OpstateError, type Thread } from "@opstate/core";
import type { Scheduler } from "@opstate/core/thread";
import { Disk } from "./disk.ts";
import { idle } from "./idle.ts";
import type { Parts } from "../parts.ts";
import { AUTHORITIES, type WriteOutcome } from "../plan.ts";
import { Record } from "../laws/record.ts";
import { type Tally, sameTally, tally } from "../tally.ts";
import { insist } from "../laws/violation.ts";

const THREAD = "t";
/** Why there may be no branch although the plan has one. */
const NO_BRANCH = new Set<string>(["compacted", "closed", "replaced"]);

export interface OpenBranch {
  readonly id: string;
  readonly incarnation: string;
}

interface Authority {
  /** Identifies its process. */
  readonly writer: object;
  readonly thread: Thread<typeof tally>;
  /** Whether its process runs. */
  alive: boolean;
}

export class Authorities {
  readonly disk = new Disk();
  /** The record of each thread that had the name, by incarnation. */
  readonly records = new Map<string, Record>();
  readonly #plant: ReturnType<Parts["log"]>;
  readonly #openThread: Parts["openThread"];
  /** Called when another process replaces that of an authority. */
  readonly #onReplaced: (at: number) => void;
  #all: Authority[] = [];
  /** That of the thread that has the name now; undefined when there is none. */
  #incarnation: string | undefined;
  /** The branches of that thread, oldest first. */
  #branches: readonly OpenBranch[] = [];
  /** The records of all branches, by id: what is merged is compared with them. */
  readonly #changes = new Map<string, Record>();

  constructor(parts: Parts, onReplaced: (at: number) => void) {
    this.#plant = parts.log();
    this.#openThread = parts.openThread;
    this.#onReplaced = onReplaced;
    this.disk.beforeCompaction = () => this.#read();
  }

  async begin(): Promise<void> {
    for (let at = 0; at < AUTHORITIES; at++) this.#all[at] = await this.#open(at);
  }

  thread(at: number): Thread<typeof tally> {
    return this.#at(at).thread;
  }

  /** The record of the thread that has the name now. */
  record(): Record {
    const record = this.#record();
    insist(record !== undefined, () => "no record");
    return record;
  }

  #record(): Record | undefined {
    return this.#incarnation === undefined ? undefined : this.records.get(this.#incarnation);
  }

  /** The newest branch of the thread that has the name now. */
  newestBranch(): OpenBranch | undefined {
    return this.#branches.at(-1);
  }

  /** The record of a branch, or of the thread, as far as the world has read it. */
  recordOf(branch: OpenBranch | undefined): Record | undefined {
    return branch === undefined ? this.#record() : this.#changes.get(branch.id);
  }

  /** Reads what was written: branches first, since merges are compared with them. */
  async #read(): Promise<void> {
    for (const branch of this.#branches) await this.recordOf(branch)?.read();
    await this.#record()?.read();
  }

  /** Opens a branch of a version that lies so far back, or as far as the history goes. */
  async branch(at: number, id: string, back: number): Promise<void> {
    const thread = this.thread(at);
    const version = Math.max(thread.floor, thread.version - back);
    try {
      this.#add(await thread.branch(version, { id }));
    } catch (error) {
      // Another authority may have compacted meanwhile, or the thread is gone or closed.
      if (!isOpstateError(error) || !NO_BRANCH.has(error.code)) throw error;
    }
  }

  #add(branch: Branch<typeof tally>): void {
    const { threadId: id, incarnation, parent } = branch;
    if (parent.incarnation !== this.#incarnation) return;
    const state = this.#record()?.states[parent.version];
    insist(
      state !== undefined && sameTally(branch.getState(), state),
      () => `branch ${id} does not begin with version ${parent.version}`,
    );
    const record = new Record({ threadId: id, incarnation, store: this.disk.store, beginning: state });
    this.#branches = [...this.#branches, { id, incarnation }];
    this.#changes.set(id, record);
    this.records.set(incarnation, record);
  }

  /** From here on nothing is expected of a branch. */
  async forget(branch: OpenBranch): Promise<void> {
    await this.#read();
    this.#branches = this.#branches.filter((other) => other !== branch);
    this.records.delete(branch.incarnation);
  }

  async restart(at: number): Promise<void> {
    this.disk.release();
    const authority = this.#at(at);
    await authority.thread.close();
    if (this.#at(at) === authority) await this.#replace(at);
  }

  /** A process dies. Its lines must be cut before. */
  async crash(at: number, outcome: WriteOutcome): Promise<void> {
    const authority = this.#at(at);
    authority.alive = false;
    this.disk.died(authority.writer, outcome);
    await idle();
    await this.#replace(at);
  }

  /**
   * Another process deletes the thread, and may create it again at once. Both authorities still
   * have the deleted one open.
   */
  async replaceThread(again: boolean): Promise<void> {
    await this.#read();
    for (const branch of this.#branches) this.records.delete(branch.incarnation);
    this.#branches = [];
    this.#incarnation = undefined;
    await this.disk.store.delete(THREAD);
    if (!again) return;
    const thread = await openThread({ definition: tally, log: this.disk.store, threadId: THREAD });
    this.#begin(thread.incarnation);
    await thread.close();
  }

  /** Whether the error says that the thread was replaced, and it was. */
  isReplaced(error: unknown, incarnation: string): boolean {
    return isOpstateError(error) && error.code === "replaced" && incarnation !== this.#incarnation;
  }

  /** Removes all commits except the newest `keep`. */
  async compact(at: number, keep: number): Promise<void> {
    this.disk.answer();
    const thread = this.thread(at);
    await thread
      .compact({ keep })
      .catch((error: unknown) =>
        insist(this.isReplaced(error, thread.incarnation), () => `compaction failed: ${String(error)}`),
      );
  }

  /** Announces the head to both. */
  async ring(): Promise<void> {
    await this.disk.ring(THREAD);
    for (const { id } of this.#branches) await this.disk.ring(id);
  }

  async check(): Promise<void> {
    if (this.disk.dirty) {
      this.disk.dirty = false;
      await this.#read();
    }
    for (const record of this.records.values()) record.checkVerdicts();
    if (this.disk.quiet) for (const authority of this.#all) this.#checkFollows(authority);
  }

  /** When nothing is under way, an authority is at the head that was announced to it. */
  #checkFollows({ writer, thread, alive }: Authority): void {
    const announced = this.disk.announcedTo(writer);
    if (!alive || announced === undefined || announced.incarnation !== thread.incarnation) return;
    insist(
      thread.version >= announced.version,
      () => `version ${announced.version} was announced to an authority that is at ${thread.version}`,
    );
  }

  /** The authority and the record of each branch, and the thread that it belongs to. */
  async checkBranches(merger: Actor): Promise<void> {
    await this.#read();
    for (const { id } of this.#branches) {
      const record = this.#changes.get(id);
      for (let at = 0; at < AUTHORITIES; at++) {
        const branch = await this.thread(at).openBranch(id);
        insist(branch !== undefined && record !== undefined, () => `branch ${id} is gone`);
        await record.checkWhole();
        const end = record.states.at(-1) ?? tally.initial;
        insist(sameTally(branch.getState(), end), () => `authority ${at} does not end with the state of branch ${id}`);
        await this.#checkDiff(branch, record, at === 0 ? merger : undefined);
      }
    }
  }

  /** What the diff says, the merge does, and nothing else. */
  async #checkDiff(branch: Branch<typeof tally>, record: Record, merger: Actor | undefined): Promise<void> {
    const { threadId: id } = branch;
    const diff = await branch.diff();
    const listed = diff.map(({ version }) => version).join();
    const counted = record.changes().join();
    insist(listed === counted, () => `the diff of branch ${id} has versions ${listed}, not ${counted}`);
    for (const { version, merged } of diff) {
      const known = this.record().mergesOf(id, version);
      // What changed nothing has no commit, and is merged all the same.
      const isSo = known.inForce === undefined ? !known.all.includes(merged ?? -1) : known.inForce === merged;
      insist(isSo, () => `version ${version} of branch ${id} is merged at ${merged}: ${JSON.stringify(known)}`);
    }
    if (merger === undefined) return;
    const merged = await branch.merge({ actor: merger });
    await this.#read();
    for (const [index, { holds, rejection }] of diff.entries()) {
      const verdict = merged[index]?.verdict;
      const holdsNow = JSON.stringify([holds, rejection, verdict]);
      insist(verdict?.accepted === holds, () => `change ${index} of branch ${id}: diff and merge say ${holdsNow}`);
      this.record().receiveMerge(verdict);
    }
  }

  async checkEnd(): Promise<void> {
    const record = this.record();
    await record.checkWhole();
    const end: Tally = record.states.at(-1) ?? tally.initial;
    for (const { thread } of this.#all) {
      insist(
        thread.version === record.version,
        () => `an authority ends at version ${thread.version} of ${record.version}`,
      );
      insist(sameTally(thread.getState(), end), () => "an authority does not end at the state of its log");
    }
  }

  async close(): Promise<void> {
    for (const { thread } of this.#all) await thread.close();
  }

  #at(at: number): Authority {
    const authority = this.#all[at];
    insist(authority !== undefined, () => `no authority ${at}`);
    return authority;
  }

  async #replace(at: number): Promise<void> {
    this.#all[at] = await this.#open(at);
    this.#onReplaced(at);
  }

  /** What a server does when a thread that it has open was replaced. */
  async #reopen(at: number, authority: Authority): Promise<void> {
    if (!authority.alive || this.#all[at] !== authority) return;
    const opened = await this.#open(at);
    if (!authority.alive || this.#all[at] !== authority) return opened.thread.close();
    this.#all[at] = opened;
    this.#onReplaced(at);
  }

  #begin(incarnation: string): void {
    this.#incarnation = incarnation;
    if (this.records.has(incarnation)) return;
    const branch = (id: string) => this.#changes.get(id);
    this.records.set(incarnation, new Record({ threadId: THREAD, incarnation, store: this.disk.store, branch }));
  }

  async #open(at: number): Promise<Authority> {
    const writer = {};
    const thread = await this.#openThread({
      definition: tally,
      log: this.#plant(this.disk.logOf(writer)),
      threadId: THREAD,
      snapshotEvery: 7,
      // One of them compacts by itself.
      ...(at > 0 && { compact: { keep: 2 } }),
      clock,
      scheduler: restless(),
    });
    this.#begin(thread.incarnation);
    const authority = { writer, thread, alive: true };
    thread.onClose((reason) => {
      if (reason !== undefined) void this.#reopen(at, authority);
    });
    return authority;
  }
}

/**
 * It refers to nothing of a run: a thread that is dropped, as by a crash, is collected unless its
 * clock refers to it.
 */
const clock = () => "2026-01-01T00:00:00.000Z";

/** Every piece of work takes long by this clock, so that others run between any two of them. */
function restless(): Scheduler {
  let now = 0;
  return { now: () => (now += 1_000), yield: () => Promise.resolve() };
}

/** By the name, since a test may have loaded the class twice. */
export function isOpstateError(error: unknown): error is OpstateError {
  return error instanceof Error && error.name === "OpstateError";
}
