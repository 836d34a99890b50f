// Which submissions a thread still knows, and which are refused because they may have been done.
//
//   forgotten      | remembered                                              now
//   ---------------|----------------|--------------------------------------->|
//            floor, forgottenAt     now - keep: older ones are refused
//
// Invariants:
// - What may have been done before is never run again: it is refused, and leaves no receipt.
// - Receipts stay a day longer than `keep`, so that a sender's clock may be a day ahead.
// - A clock that is further ahead says nothing: then the version that it is based on decides.

import type { Rejection } from "../../engine/rejection/rejection.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import type { ThreadLog } from "../log/adapter.ts";
import { CLOCK_ERROR } from "../log/receipt-time.ts";
import { typeOf } from "../type-of.ts";
import type { ParsedSubmission } from "./parse-submission.ts";

export interface Remembered {
  /** Milliseconds; Infinity: for ever. */
  readonly keep: number;
  /** The receipts of verdicts given at or below this version are gone. */
  readonly floor: number;
  /** When the last commit was stored whose receipt is gone, in milliseconds since 1970. */
  readonly forgottenAt: number;
}

/** A time as a sender's clock has it; undefined when that clock is out of bounds. */
export function trustedTime(madeAt: number, now: number): number | undefined {
  return madeAt > now + CLOCK_ERROR ? undefined : Math.min(madeAt, now);
}

/**
 * The version from which on receipts say whether a submission was done. Undefined for one that is
 * new for certain: its id was drawn just now, or is that of a merge or an approval, whose receipts
 * stay as long as its branch or proposal.
 */
export function newSince(
  { isNew, dedupeKey, basedOn, expectedVersion, madeAt }: ParsedSubmission,
  { floor, forgottenAt }: Remembered,
): number | undefined {
  if (isNew || dedupeKey !== undefined) return undefined;
  const version = basedOn ?? expectedVersion ?? 0;
  if (madeAt !== undefined && madeAt > forgottenAt) return Math.max(version, floor);
  // What changed nothing, and what was refused, has the very version that it was based on.
  return Math.max(0, version - 1);
}

/**
 * Why a submission whose id is not known is refused; undefined when it was not done for certain.
 */
export function tooOld(submission: ParsedSubmission, remembered: Remembered): Rejection | undefined {
  const { operation, madeAt, at } = submission;
  const { keep, floor } = remembered;
  if (madeAt !== undefined && Date.parse(at) - madeAt > keep) {
    const message = `This was made at ${isoOf(madeAt)}, by its "madeAt"; it is ${at} here. What was submitted is remembered for ${keep} milliseconds, so it may have been done already, and is not run. ${AGAIN}`;
    return refusal(operation, message, "/madeAt", { madeAt, at, keep });
  }
  const since = newSince(submission, remembered);
  if (since === undefined || since >= floor) return undefined;
  const version = submission.basedOn ?? submission.expectedVersion ?? 0;
  const message = `This was made at version ${version}. The thread remembers what was submitted since version ${floor} only, so it may have been done already, and is not run. ${AGAIN} An "id" of your own needs "madeAt", the time when it was made.`;
  return refusal(operation, message, "/basedOn", { basedOn: version, receiptFloor: floor });
}

const AGAIN = "Look at the state, then send what is still wanted as a new submission.";

function refusal(operation: unknown, message: string, path: string, details: object): Rejection {
  return rejection("conflict", typeOf(operation), message, { reason: "too_old", path, details });
}

function isoOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

/** What one open thread knows of forgotten receipts. */
export class ReceiptMemory {
  readonly #thread: ThreadLog;
  readonly #keep: () => number | undefined;
  #floor: number;
  #forgottenAt: number | undefined;

  constructor(thread: ThreadLog, floor: number, keep: () => number | undefined) {
    this.#thread = thread;
    this.#floor = floor;
    this.#keep = keep;
  }

  /** The log says that receipts are gone up to here. */
  raise(floor: number): void {
    if (floor <= this.#floor) return;
    this.#floor = floor;
    this.#forgottenAt = undefined;
  }

  /** `now`: ISO 8601. */
  async at(now: string): Promise<Remembered> {
    const floor = this.#floor;
    if (floor > 0 && this.#forgottenAt === undefined) {
      const { items } = await this.#thread.commits({ after: floor, limit: 1 });
      // Verdicts at the floor were given until the next commit. Without it, a later known time.
      this.#forgottenAt = Date.parse(items[0]?.at ?? now) + (items[0] === undefined ? -1 : CLOCK_ERROR);
    }
    return { keep: this.#keep() ?? Infinity, floor, forgottenAt: this.#forgottenAt ?? -Infinity };
  }
}
