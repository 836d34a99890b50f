// Checks again whether a stream or a run may go on, with the request that opened it.
//
//   begin ──> wait ──(interval, `expiresAt`, `ask`)──> check ──(refused)──> end, with the problem
//               ^                                        │
//               └────────────────── allowed ─────────────┘
//
// Invariants:
// - It is checked at least once in every interval, at a random moment of its second half; when the
//   credentials expire; and at `ask`.
// - A reader who is refused gets nothing more once that is known.
// - An `ask` while a check is under way is followed by another check: the first may have read what
//   is older.
// - A missing answer is no permission. It ends when a check takes 10 seconds, when two checks in a
//   row fail, and when one fails after the credentials have expired.

import type { Access } from "./access.ts";
import { Problem } from "./problem.ts";

export interface CheckOptions<Allowed> {
  /**
   * Rejects with a Problem when the same request would be refused now, and with any other error
   * when that could not be found out.
   */
  readonly check: () => Promise<Allowed>;
  readonly onRefused: (problem: Problem) => void;
  readonly onError: (error: unknown) => void;
}

export interface RecheckOptions extends CheckOptions<Pick<Access, "expiresAt">> {
  /** Of the access that it began with. */
  readonly expiresAt: Date | undefined;
  /** Milliseconds: the longest time between two checks. */
  readonly interval: number;
  readonly onClose?: () => void;
  readonly clock?: Clock;
}

export interface Clock {
  /** Milliseconds of the epoch. */
  now(): number;
  /** Calls back after milliseconds. Returns the function that ends the wait. */
  after(milliseconds: number, callback: () => void): () => void;
  /** From 0 to 1. */
  random(): number;
}

const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Milliseconds for one check. */
const CHECK_TIMEOUT = 10_000;
/** Milliseconds until a check that failed is repeated. */
const RETRY = 5_000;

type Outcome<Allowed> = { readonly allowed: Allowed } | "unknown" | "refused";

/** One check at a time, and what its failures mean. */
export class AccessCheck<Allowed> {
  readonly #options: CheckOptions<Allowed>;
  readonly #clock: Clock;
  #running: Promise<Outcome<Allowed>> | undefined;
  #isOutdated = false;
  #hasFailed = false;
  #isOver = false;

  constructor(options: CheckOptions<Allowed>, clock: Clock = SYSTEM_CLOCK) {
    this.#options = options;
    this.#clock = clock;
  }

  /** `isLast`: another failure is not waited for. */
  run(isLast: () => boolean = () => false): Promise<Outcome<Allowed>> {
    this.#isOutdated = this.#running !== undefined;
    this.#running ??= this.#runAll(isLast).finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Calls nothing any more. */
  close(): void {
    this.#isOver = true;
  }

  async #runAll(isLast: () => boolean): Promise<Outcome<Allowed>> {
    for (;;) {
      this.#isOutdated = false;
      const outcome = await this.#runOnce(isLast);
      if (this.#isOver) return "refused";
      if (!this.#isOutdated) return outcome;
    }
  }

  async #runOnce(isLast: () => boolean): Promise<Outcome<Allowed>> {
    const stopTimer = this.#clock.after(CHECK_TIMEOUT, () => this.#refuse(unknown()));
    try {
      const allowed = await this.#options.check();
      this.#hasFailed = false;
      return { allowed };
    } catch (error) {
      if (error instanceof Problem) return this.#refuse(error);
      if (!this.#isOver) this.#options.onError(error);
      if (this.#hasFailed || isLast()) return this.#refuse(unknown());
      this.#hasFailed = true;
      return "unknown";
    } finally {
      stopTimer();
    }
  }

  #refuse(problem: Problem): "refused" {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#options.onRefused(problem);
    }
    return "refused";
  }
}

export class AccessRecheck {
  readonly #options: RecheckOptions;
  readonly #clock: Clock;
  readonly #check: AccessCheck<Pick<Access, "expiresAt">>;
  #expiresAt: number;
  #stopTimer = () => {};
  #isClosed = false;

  constructor(options: RecheckOptions) {
    const { onRefused, clock = SYSTEM_CLOCK } = options;
    this.#options = options;
    this.#clock = clock;
    this.#expiresAt = options.expiresAt?.getTime() ?? Infinity;
    const refuse = (problem: Problem) => {
      this.close();
      onRefused(problem);
    };
    this.#check = new AccessCheck({ ...options, onRefused: refuse }, clock);
    this.#wait(this.#pause());
  }

  /** Asks now. */
  ask(): void {
    if (!this.#isClosed) void this.#run();
  }

  /** Asks in a few seconds at the latest. */
  askSoon(): void {
    if (!this.#isClosed) this.#wait(Math.min(RETRY, this.#pause()));
  }

  /** Asks no more. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopTimer();
    this.#check.close();
    this.#options.onClose?.();
  }

  async #run(): Promise<void> {
    this.#stopTimer();
    const outcome = await this.#check.run(() => this.#clock.now() >= this.#expiresAt);
    if (this.#isClosed || outcome === "refused") return;
    if (outcome === "unknown") return this.askSoon();
    this.#expiresAt = outcome.allowed.expiresAt?.getTime() ?? Infinity;
    this.#wait(this.#pause());
  }

  #pause(): number {
    return this.#options.interval * (0.5 + this.#clock.random() / 2);
  }

  #wait(milliseconds: number): void {
    this.#stopTimer();
    const untilExpired = Math.max(0, this.#expiresAt - this.#clock.now());
    this.#stopTimer = this.#clock.after(Math.min(milliseconds, untilExpired), () => void this.#run());
  }
}

function unknown(): Problem {
  return new Problem("failure", "The server could not check whether this stream may go on. Connect again.");
}
