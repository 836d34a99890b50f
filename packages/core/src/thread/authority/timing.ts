// How long one submission took, stage by stage. Made only where there is an observer.
//
//   queued ──> judged (again, when another writer was first) ──> appended ──> verdict

import type { SubmissionTimes } from "../observe.ts";
import type { Scheduler } from "../pace.ts";

export class SubmissionTiming {
  readonly #now: () => number;
  readonly #beganAt: number;
  #dequeuedAt: number | undefined;
  #judged = 0;
  #appended = 0;
  #batch = 1;
  #conflicts = 0;

  constructor(scheduler: Scheduler) {
    this.#now = () => scheduler.now();
    this.#beganAt = this.#now();
  }

  /** It left the queue, with others in one batch. */
  dequeued(batch: number): void {
    this.#dequeuedAt ??= this.#now();
    this.#batch = batch;
  }

  judge<T>(work: () => T): T {
    const began = this.#now();
    try {
      return work();
    } finally {
      this.#judged += this.#now() - began;
    }
  }

  /** The same for what is worked out with reads. */
  async judgeLater<T>(work: () => Promise<T>): Promise<T> {
    const began = this.#now();
    try {
      return await work();
    } finally {
      this.#judged += this.#now() - began;
    }
  }

  /** Returns what is called when the log has answered. */
  append(): () => void {
    const began = this.#now();
    return () => (this.#appended += this.#now() - began);
  }

  conflict(): void {
    this.#conflicts += 1;
  }

  get end(): SubmissionTimes {
    const now = this.#now();
    return {
      duration: now - this.#beganAt,
      queued: (this.#dequeuedAt ?? now) - this.#beganAt,
      judged: this.#judged,
      appended: this.#appended,
      batch: this.#batch,
      conflicts: this.#conflicts,
    };
  }
}
