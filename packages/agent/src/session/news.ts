// What an agent knows of a thread, and what its next result reports.
//
//   since  up to here every change by others was in a result
//   seen   what the model's next call is based on: what was in a result, or shown
//
// Invariants:
// - Each change by others is in one result, also when results are made at the same time.
// - Calls of one step of a run were chosen on one state, so they have one basis. Those of another
//   attempt were chosen anew, on what was shown since.

import type { Actor, Thread } from "@opstate/core";
import { digestUpTo } from "../context/digest-since.ts";
import type { CallIdentity } from "./call-ids.ts";

export interface NewsOptions {
  readonly for: Actor;
  /** Tokens of about 4 characters. */
  readonly budget: number;
}

export class News {
  readonly #thread: Thread;
  readonly #options: NewsOptions;
  #since: number;
  #seen: number;
  #step: { readonly name: string; readonly basis: number } | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  /** `since`: the version that the agent knows. */
  constructor(thread: Thread, since: number, options: NewsOptions) {
    this.#thread = thread;
    this.#options = options;
    this.#since = since;
    this.#seen = since;
  }

  get since(): number {
    return this.#since;
  }

  get seen(): number {
    return this.#seen;
  }

  /** The version that a call of this step is based on. */
  basisOf({ runId, step, attempt }: CallIdentity): number {
    if (step === undefined) return this.#seen;
    const name = JSON.stringify([runId, step, attempt]);
    if (this.#step?.name !== name) this.#step = { name, basis: this.#seen };
    return this.#step.basis;
  }

  /** The agent was shown the state at this version. */
  look(version: number): void {
    this.#seen = Math.max(this.#seen, version);
  }

  /** What others changed since the last call of it, in words; "" for nothing. */
  next(): Promise<string> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => {});
    return reading;
  }

  async #read(): Promise<string> {
    const { to, digest } = await digestUpTo(this.#thread, this.#since, this.#options);
    this.#since = to;
    this.look(to);
    return digest;
  }
}
