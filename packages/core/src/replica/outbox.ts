// The verdict promises of dispatched submissions, by id. Final verdicts are remembered for a while:
// an id that is dispatched again gets its verdict again, with no second effect in the view.

import { isFinal } from "../engine/rejection/rejection.ts";
import type { Verdict } from "../thread/commit.ts";
import { deferred, type Deferred } from "./deferred.ts";

const REMEMBERED = 500;

interface Entry extends Deferred<Verdict> {
  readonly hash: string;
}

export class Outbox {
  readonly #waiting = new Map<string, Entry>();
  readonly #final = new Map<string, Entry>();

  find(id: string): Pick<Entry, "hash" | "promise"> | undefined {
    return this.#waiting.get(id) ?? this.#final.get(id);
  }

  add(id: string, hash: string): Promise<Verdict> {
    const entry = { hash, ...deferred<Verdict>() };
    this.#waiting.set(id, entry);
    return entry.promise;
  }

  /** Resolves the promise. Only final verdicts of the authority are remembered. */
  resolve(id: string, verdict: Verdict, from: "authority" | "here"): void {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return;
    this.#waiting.delete(id);
    entry.resolve(verdict);
    const isNotFinal = !verdict.accepted && !isFinal(verdict.rejection);
    if (from === "here" || isNotFinal) return;
    this.#final.set(id, entry);
    const [oldest] = this.#final.keys();
    if (this.#final.size > REMEMBERED && oldest !== undefined) this.#final.delete(oldest);
  }

  rejectAll(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
