// How much one actor may use of a server: of its time, and of each thread. For programs that run
// wild; a person is far below it.
//
// Invariants:
// - Of the submissions of one request to one thread all are accepted, or none: so their order
//   stays.
// - When the application's `decide` throws, the quotas decide.

import type { Actor } from "@opstate/core";
import { actorKey } from "@opstate/core/log";
import { Problem } from "../http/problem.ts";
import { Allowances, type Quota } from "./allowances.ts";

/** What an actor requests, and what they have used. */
export interface Demand {
  readonly actor: Actor;
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the path, such as "/threads/:id/operations". */
  readonly route: string;
  /** Where submissions are to be admitted: the thread. */
  readonly threadId?: string;
  /** How many; 0 where the request itself is to be admitted. */
  readonly submissions: number;
  /**
   * What the actor has cost this process and not paid back yet, in milliseconds. 0 where there is
   * no quota for it.
   */
  readonly cost: number;
  /** Seconds that the quotas say the sender should wait; 0: they may go on. */
  readonly wait: number;
}

/** Seconds that the sender is to wait: they get 429 with Retry-After. 0: they may go on. */
export type Decide = (demand: Demand) => number | Promise<number>;

export interface QuotaOptions {
  /**
   * Milliseconds of this process that one actor may cost. Default 500 in a second, 30,000 at once:
   * an actor who alone keeps it busy is refused after a minute. See `docs/server-options.md` for
   * what costs what.
   */
  readonly cost?: Quota;
  /** Submissions of one actor to one thread. Default 1,000 in a second, 20,000 at once. */
  readonly submissions?: Quota;
  /** Decides in place of the quotas, which it gets. Default: as they say. */
  readonly decide?: Decide;
}

const COST: Quota = { perSecond: 500, burst: 30_000 };
const SUBMISSIONS: Quota = { perSecond: 1_000, burst: 20_000 };

/** Milliseconds. */
const REQUEST_COST = 1;
/** Of a request that reads a history to answer, however short the answer is. */
const REPLAY_COST = 25;
const REPLAYS = /\/(explain|undo|diff|merge|compact|redact|:version)$/;
/** Characters of a list for a millisecond. */
const CHARACTERS = 16_384;

export type Asking = Pick<Demand, "actor" | "requestId" | "method" | "route">;

export class Quotas {
  readonly #cost: Allowances;
  readonly #submissions: Allowances;
  readonly #decide: Decide | undefined;
  readonly #onError: (error: unknown) => void;

  /** Throws a RangeError for a quota that is none. */
  constructor({ cost = COST, submissions = SUBMISSIONS, decide }: QuotaOptions, onError: (error: unknown) => void) {
    this.#cost = new Allowances(checkQuota("cost", cost));
    this.#submissions = new Allowances(checkQuota("submissions", submissions));
    this.#decide = decide;
    this.#onError = onError;
  }

  /** So many milliseconds were spent on what the actor requested. */
  spend(actor: Actor, milliseconds: number): void {
    this.#cost.take(actorKey(actor), milliseconds);
  }

  /** Something that reads a history to answer, in a request that was not admitted as such. */
  spendOnReplay(actor: Actor): void {
    this.spend(actor, REPLAY_COST);
  }

  /** A list of so many characters was made. */
  spendOnList(actor: Actor, characters: number): void {
    this.spend(actor, characters / CHARACTERS);
  }

  /** Rejects with a Problem when the sender has to wait before they may request anything. */
  async admitRequest(asking: Asking): Promise<void> {
    const key = actorKey(asking.actor);
    const wait = await this.#waitFor({
      ...asking,
      submissions: 0,
      cost: this.#cost.used(key),
      wait: this.#cost.wait(key),
    });
    if (wait > 0)
      throw new Problem(
        "too_many_requests",
        `${nameOf(asking.actor)} has used up what one actor may cost for now. Send it again in ${inWords(wait)}.`,
        wait,
      );
    this.spend(asking.actor, REPLAYS.test(asking.route) ? REPLAY_COST : REQUEST_COST);
  }

  /** Rejects with a Problem when none of these submissions is accepted now. */
  async admitSubmissions(asking: Asking, threadId: string, submissions: number): Promise<void> {
    const actor = actorKey(asking.actor);
    const key = JSON.stringify([threadId, actor]);
    const wait = await this.#waitFor({
      ...asking,
      threadId,
      submissions,
      cost: this.#cost.used(actor),
      wait: this.#submissions.wait(key),
    });
    if (wait > 0)
      throw new Problem(
        "too_many_submissions",
        `${nameOf(asking.actor)} has submitted too much to thread "${threadId}" for now. Nothing was accepted: send it again in ${inWords(wait)}.`,
        wait,
      );
    this.#submissions.take(key, submissions);
  }

  async #waitFor(demand: Demand): Promise<number> {
    if (this.#decide === undefined) return demand.wait;
    try {
      const wait: unknown = await this.#decide(demand);
      if (typeof wait === "number" && wait >= 0) return Math.ceil(wait);
      throw new TypeError(`\`quotas.decide\` must give a number of seconds, 0 or more, not ${String(wait)}.`);
    } catch (error) {
      this.#onError(error);
      return demand.wait;
    }
  }
}

function checkQuota(name: string, quota: Quota): Quota {
  if (quota.perSecond > 0 && quota.burst >= 1) return quota;
  throw new RangeError(
    `\`quotas.${name}\` must be { perSecond, burst }: a number above 0, or Infinity, and one from 1 on.`,
  );
}

function nameOf({ kind, id }: Actor): string {
  return `The ${kind} "${id}"`;
}

function inWords(seconds: number): string {
  return seconds === 1 ? "a second" : `${seconds} seconds`;
}
