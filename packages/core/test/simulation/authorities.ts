// The servers of a simulated world: two processes, each with an authority over the same thread of the same log. They are restarted, they
// die, they forget history, and their thread is deleted and created again.

import { openThread, type Thread } from "@opstate/core";
import { Disk } from "./disk.ts";
import { idle } from "./idle.ts";
import type { Parts } from "./parts.ts";
import { AUTHORITIES, type Fate } from "./plan.ts";
import { Record } from "./record.ts";
import { type Tally, sameTally, tally } from "./tally.ts";
import { insist } from "./violation.ts";

const THREAD = "t";

interface Authority {
  /** Stands for its process. */
  readonly writer: object;
  readonly thread: Thread<typeof tally>;
}

export class Authorities {
  readonly disk = new Disk();
  /** What happened in each thread that had the name, by incarnation. */
  readonly records = new Map<string, Record>();
  readonly #plant: ReturnType<Parts["log"]>;
  /** Told when another process takes an authority's place. */
  readonly #onReplaced: (at: number) => void;
  #all: Authority[] = [];

  constructor(parts: Parts, onReplaced: (at: number) => void) {
    this.#plant = parts.log();
    this.#onReplaced = onReplaced;
    this.disk.beforeCompaction = () => this.record().read();
  }

  async begin(): Promise<void> {
    for (let at = 0; at < AUTHORITIES; at++) this.#all[at] = await this.#open(at);
  }

  thread(at: number): Thread<typeof tally> {
    return this.#at(at).thread;
  }

  /** Of the thread that has the name now. */
  record(): Record {
    const record = this.records.get(this.thread(0).incarnation);
    insist(record !== undefined, () => "no record");
    return record;
  }

  async restart(at: number): Promise<void> {
    this.disk.release();
    await this.thread(at).close();
    await this.#replace(at);
  }

  /** Its process dies. Its lines must be cut before. */
  async crash(at: number, fate: Fate): Promise<void> {
    this.disk.died(this.#at(at).writer, fate);
    await idle();
    await this.#replace(at);
  }

  /** The thread is deleted, and created again. */
  async replaceThread(): Promise<void> {
    this.disk.release();
    await this.close();
    await idle();
    await this.record().read();
    await this.disk.store.delete(THREAD);
    for (let at = 0; at < AUTHORITIES; at++) await this.#replace(at);
  }

  /** Forgets all commits but the newest `keep`. */
  async compact(at: number, keep: number): Promise<void> {
    await this.thread(at)
      .compact({ keep })
      .catch((error: unknown) => insist(false, () => `compaction failed: ${String(error)}`));
  }

  /** Tells both how far the log is. */
  async ring(): Promise<void> {
    await this.disk.ring(THREAD);
  }

  async check(): Promise<void> {
    if (this.disk.dirty) {
      this.disk.dirty = false;
      await this.record().read();
    }
    for (const record of this.records.values()) record.checkSaid();
  }

  async checkEnd(): Promise<void> {
    const record = this.record();
    await record.checkWhole();
    const end: Tally = record.states.at(-1) ?? tally.initial;
    for (const { thread } of this.#all) {
      insist(thread.version === record.version, () => `an authority ends at version ${thread.version} of ${record.version}`);
      insist(sameTally(thread.getState(), end), () => "an authority does not end where its log leads");
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

  async #open(at: number): Promise<Authority> {
    const writer = {};
    const thread = await openThread({
      definition: tally,
      log: this.#plant(this.disk.logOf(writer)),
      threadId: THREAD,
      snapshotEvery: 7,
      // One of them compacts by itself.
      ...(at > 0 && { compact: { keep: 2 } }),
      clock: () => "2026-01-01T00:00:00.000Z",
    });
    if (!this.records.has(thread.incarnation)) this.records.set(thread.incarnation, new Record(THREAD, this.disk.store));
    return { writer, thread };
  }
}
