// The servers of a simulated world: two processes, each with an authority over the same thread in
// the same log. They are restarted, die and compact. Another process may delete their thread at any
// time: each notices by itself and opens the thread that has the name then.

import { type Commit, openThread, type OpstateError, type Thread } from "@opstate/core";
import type { Scheduler } from "@opstate/core/thread";
import { Disk } from "./disk.ts";
import { idle } from "./idle.ts";
import type { Parts } from "./parts.ts";
import { AUTHORITIES, type WriteOutcome } from "./plan.ts";
import { Record } from "./record.ts";
import { type Tally, sameTally, tally } from "./tally.ts";
import { insist } from "./violation.ts";

const THREAD = "t";

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

  constructor(parts: Parts, onReplaced: (at: number) => void) {
    this.#plant = parts.log();
    this.#openThread = parts.openThread;
    this.#onReplaced = onReplaced;
    this.disk.beforeCompaction = async () => this.#record()?.read();
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

  /** The commits of the thread that has the name now, as far as the world has read them. */
  commits(): readonly Commit[] {
    return this.#record()?.commits ?? [];
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
    await this.#record()?.read();
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
  }

  async check(): Promise<void> {
    if (this.disk.dirty) {
      this.disk.dirty = false;
      await this.#record()?.read();
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
    if (!this.records.has(incarnation)) this.records.set(incarnation, new Record(THREAD, incarnation, this.disk.store));
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
      clock: () => "2026-01-01T00:00:00.000Z",
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

/** Every piece of work takes long by this clock, so that others run between any two of them. */
function restless(): Scheduler {
  let now = 0;
  return { now: () => (now += 1_000), yield: () => Promise.resolve() };
}

/** By the name, since a test may have loaded the class twice. */
export function isOpstateError(error: unknown): error is OpstateError {
  return error instanceof Error && error.name === "OpstateError";
}
