// Which of several logs has a thread.
//
//   of(thread, incarnation)   remembered ─ else the preferred log ─ else all others at once
//   of(thread)                who has the name now: read each time
//
// Invariants:
// - A thread stays in the log in which it was made, whatever logs come later.
// - What is remembered is never wrong: an incarnation is one thread's for ever, and never moves.
// - A log that is away holds up its own threads, and the search for what no other has.

import type { CallOptions, FullLog, ThreadInfo } from "@opstate/core/log";
import { weightOf } from "../log/rendezvous.ts";

/** Threads whose log is remembered. */
const REMEMBERED = 10_000;

/** A thread that was found, and its log. */
export interface Found<L extends FullLog> {
  readonly log: L;
  readonly info: ThreadInfo;
}

export class Places<L extends FullLog> {
  readonly #logs: ReadonlyMap<string, L>;
  /** By incarnation, the one that was used last at the end. */
  readonly #known = new Map<string, L>();

  constructor(logs: ReadonlyMap<string, L>) {
    this.#logs = logs;
  }

  get all(): readonly L[] {
    return [...this.#logs.values()];
  }

  /**
   * Where a new thread is made: the log whose name has the highest weight, so that another log gets
   * its share of the new threads alone.
   */
  preferred(threadId: string): L {
    let best: { readonly log: L; readonly weight: string } | undefined;
    for (const [name, log] of this.#logs) {
      const weight = weightOf(name, threadId);
      if (best === undefined || weight > best.weight) best = { log, weight };
    }
    if (best === undefined) throw new RangeError("`logs` has no log.");
    return best.log;
  }

  /** Undefined: no log has it. */
  async of(threadId: string, incarnation?: string, call?: CallOptions): Promise<L | undefined> {
    return this.known(incarnation) ?? (await this.find(threadId, incarnation, call))?.log;
  }

  /** The log of a thread that was found before. */
  known(incarnation: string | undefined): L | undefined {
    const log = incarnation === undefined ? undefined : this.#known.get(incarnation);
    if (incarnation !== undefined && log !== undefined) this.remember(incarnation, log);
    return log;
  }

  /** The same, with its head line as it is now. Rejects when no log has it, and one is away. */
  async find(threadId: string, incarnation?: string, call?: CallOptions): Promise<Found<L> | undefined> {
    const first = this.preferred(threadId);
    const faults: unknown[] = [];
    const ask = async (log: L): Promise<Found<L> | undefined> => {
      try {
        const info = await log.thread(threadId, incarnation).info(call);
        return info && { log, info };
      } catch (error) {
        faults.push(error);
        return undefined;
      }
    };
    const found =
      (await ask(first)) ??
      (await Promise.all(this.all.filter((log) => log !== first).map(ask))).find((one) => one !== undefined);
    if (found !== undefined) this.remember(found.info.incarnation, found.log);
    else if (faults.length > 0) throw faults[0];
    return found;
  }

  remember(incarnation: string, log: L): void {
    this.#known.delete(incarnation);
    this.#known.set(incarnation, log);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > REMEMBERED) this.#known.delete(oldest);
  }
}
