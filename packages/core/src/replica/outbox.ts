// The promises of those who dispatched, by id: each is kept once. Final verdicts are remembered for
// a while, so that an id that comes again gets its verdict again without a second effect in the
// view.

import { isFinal } from "../engine/rejection.ts";
import type { Verdict } from "../thread/commit.ts";

const REMEMBERED = 500;

interface Letter {
  readonly hash: string;
  readonly verdict: Promise<Verdict>;
  resolve(verdict: Verdict): void;
  reject(error: unknown): void;
}

export class Outbox {
  readonly #waiting = new Map<string, Letter>();
  readonly #settled = new Map<string, Letter>();

  find(id: string): Pick<Letter, "hash" | "verdict"> | undefined {
    return this.#waiting.get(id) ?? this.#settled.get(id);
  }

  add(id: string, hash: string): Promise<Verdict> {
    let resolve: Letter["resolve"] = () => undefined;
    let reject: Letter["reject"] = () => undefined;
    const verdict = new Promise<Verdict>((yes, no) => {
      resolve = yes;
      reject = no;
    });
    // Whoever does not look at a verdict need not handle the end of its replica either.
    verdict.catch(() => undefined);
    this.#waiting.set(id, { hash, verdict, resolve, reject });
    return verdict;
  }

  /** Keeps the promise. Only what the authority said for good is remembered. */
  settle(id: string, verdict: Verdict, from: "authority" | "here"): void {
    const letter = this.#waiting.get(id);
    if (letter === undefined) return;
    this.#waiting.delete(id);
    letter.resolve(verdict);
    const notFinal = !verdict.accepted && !isFinal(verdict.rejection);
    if (from === "here" || notFinal) return;
    this.#settled.set(id, letter);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > REMEMBERED && oldest !== undefined) this.#settled.delete(oldest);
  }

  fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
