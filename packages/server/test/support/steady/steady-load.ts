// The operations of the steady soak, so many a second whatever their answers take, what begins and
// ends beside them, and what was acknowledged.

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../../../core/test/simulation/random.ts";
import { tally } from "../limits/tally.ts";
import { churn } from "./churn.ts";
import type { Sender } from "./sender.ts";

/** Keys of each thread's record, so that it does not grow for long. */
const KEYS = 100;
/** Milliseconds between two looks at what is due. */
const TICK = 5;
/** Milliseconds between two that begin and end beside the operations. */
const CHURN_PAUSE = 200;

export class SteadyLoad {
  readonly faults: string[] = [];
  /** Milliseconds until an operation was answered, since they were taken. */
  #waits: number[] = [];
  #churned = 0;
  readonly #sender: Sender;
  readonly #threads: readonly [string, ...string[]];
  readonly #random: Random;
  readonly #under = new Set<Promise<void>>();
  /** Versions by thread and id. */
  readonly #acknowledged = new Map<string, Map<string, number>>();

  constructor(sender: Sender, threads: readonly [string, ...string[]], random: Random) {
    this.#sender = sender;
    this.#threads = threads;
    this.#random = random;
  }

  /** What was done since the last call. */
  take(): { readonly waits: readonly number[]; readonly churned: number } {
    const taken = { waits: this.#waits, churned: this.#churned };
    this.#waits = [];
    this.#churned = 0;
    return taken;
  }

  /** Resolves when all is answered. */
  async run(rate: number, end: AbortSignal): Promise<void> {
    await Promise.all([this.#write(rate, end), this.#churn(end)]);
    await Promise.all(this.#under);
  }

  /** Versions without a gap, and each acknowledged operation once, where its answer said. */
  async lookForLost(): Promise<void> {
    for (const thread of this.#threads) await this.#lookForLostIn(thread);
  }

  async #write(rate: number, end: AbortSignal): Promise<void> {
    const start = performance.now();
    for (let sent = 0; !end.aborted;) {
      const due = ((performance.now() - start) * rate) / 1_000;
      for (; sent < due; sent += 1) this.#begin(this.#operation(this.#random.pick(this.#threads)));
      await delay(TICK);
    }
  }

  #begin(work: Promise<void>): void {
    const watched = work
      .catch((error: unknown) => void this.faults.push(`an operation: ${String(error)}`))
      .finally(() => this.#under.delete(watched));
    this.#under.add(watched);
  }

  async #operation(thread: string): Promise<void> {
    const submission = { operation: this.#anOperation(), id: randomUUID() };
    const start = performance.now();
    const { status, body } = await this.#sender.send(thread, "POST", `/threads/${thread}/operations`, submission);
    this.#waits.push(performance.now() - start);
    const { version } = body as { version?: number };
    if (status !== 200 || version === undefined)
      this.faults.push(`an operation got ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    else this.#acknowledgedOf(thread).set(submission.id, version);
  }

  #anOperation(): object {
    const { op } = tally;
    return this.#random.pick<() => object>([
      () => op.increment({}),
      () => op.put({ key: `key-${this.#random.below(KEYS)}`, value: randomUUID().repeat(8) }),
      () => op.add({ title: randomUUID() }),
      () => op.write({ text: randomUUID().repeat(20) }),
    ])();
  }

  async #churn(end: AbortSignal): Promise<void> {
    while (!end.aborted) {
      try {
        await churn(this.#sender, this.#random.pick(this.#threads), this.#random);
      } catch (error) {
        this.faults.push(`beside the operations: ${String(error)}`);
      }
      this.#churned += 1;
      await delay(CHURN_PAUSE);
    }
  }

  async #lookForLostIn(thread: string): Promise<void> {
    const acknowledged = this.#acknowledgedOf(thread);
    const seen = new Set<string>();
    for (let after = 0; ;) {
      const { body } = await this.#sender.send(
        "looking",
        "GET",
        `/threads/${thread}/history?limit=1000&after=${after}`,
      );
      const page = body as readonly { commit: { id: string; version: number } }[];
      if (page.length === 0) break;
      for (const { commit } of page) {
        const { id, version } = commit;
        if (version !== after + 1) this.faults.push(`${thread}: ${version} stands behind ${after}`);
        if (seen.has(id)) this.faults.push(`${thread}: ${id} is there twice`);
        const told = acknowledged.get(id) ?? version;
        if (told !== version) this.faults.push(`${thread}: ${id}, acknowledged at ${told}, is at ${version}`);
        seen.add(id);
        after = version;
      }
    }
    for (const id of acknowledged.keys()) if (!seen.has(id)) this.faults.push(`${thread}: ${id} is lost`);
  }

  #acknowledgedOf(thread: string): Map<string, number> {
    const found = this.#acknowledged.get(thread) ?? new Map<string, number>();
    this.#acknowledged.set(thread, found);
    return found;
  }
}
