// Whether the log answers in time: what `/readyz` says while the server does not drain.
//
// Invariants:
// - At most one call of the log is under way, however often this is called. A call without an
//   answer is dropped after a while. So probes cannot fill a pool that hangs.
// - An answer is used again for a moment: the route needs no credentials.

import type { Log } from "@opstate/core";

/** Milliseconds. */
const ANSWER_TIMEOUT = 2_000;
const REUSE_TIME = 500;
const GIVE_UP_TIME = 30_000;

/** An id that no thread needs to have: the question is whether there is an answer. */
const PROBED_ID = "opstate-readiness";

export interface ReadinessOptions {
  readonly log: Pick<Log, "info">;
  /** Milliseconds; default performance.now. */
  readonly now?: () => number;
  /** Calls back after milliseconds and returns what ends the wait; default setTimeout. */
  readonly after?: (milliseconds: number, callback: () => void) => () => void;
}

/** Why the log is not ready; undefined when it is. */
export type LogFault = { readonly reason: "silent" } | { readonly reason: "failed"; readonly error: unknown };

interface Question {
  readonly askedAt: number;
  readonly answer: Promise<LogFault | undefined>;
  answeredAt: number | undefined;
}

export class Readiness {
  readonly #log: ReadinessOptions["log"];
  readonly #now: () => number;
  readonly #after: NonNullable<ReadinessOptions["after"]>;
  #question: Question | undefined;

  constructor({ log, now = () => performance.now(), after = afterTimeout }: ReadinessOptions) {
    this.#log = log;
    this.#now = now;
    this.#after = after;
  }

  /** Resolves in 2 seconds at the latest. */
  async fault(): Promise<LogFault | undefined> {
    const { answer } = this.#current();
    let stop = () => {};
    const silent = new Promise<LogFault>((resolve) => {
      stop = this.#after(ANSWER_TIMEOUT, () => resolve({ reason: "silent" }));
    });
    const fault = await Promise.race([answer, silent]);
    stop();
    return fault;
  }

  #current(): Question {
    const now = this.#now();
    const last = this.#question;
    if (last !== undefined) {
      const { askedAt, answeredAt } = last;
      if (answeredAt === undefined ? now - askedAt < GIVE_UP_TIME : now - answeredAt < REUSE_TIME) return last;
    }
    const question: Question = {
      askedAt: now,
      answer: this.#ask(() => (question.answeredAt = this.#now())),
      answeredAt: undefined,
    };
    this.#question = question;
    return question;
  }

  async #ask(onAnswer: () => void): Promise<LogFault | undefined> {
    // In a later turn, so that the question is there when the answer comes.
    await Promise.resolve();
    try {
      await this.#log.info(PROBED_ID);
      return undefined;
    } catch (error) {
      return { reason: "failed", error };
    } finally {
      onAnswer();
    }
  }
}

function afterTimeout(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
