// The calls of a session that were refused, and when they end it.

import type { Rejection } from "@opstate/core";
import { refusalOf, repeatText, timesRefused, type RefusedCall } from "../repeated-refusals.ts";

const DEFAULT = 3;
/** Older ones are forgotten: a session may last. */
const MAX_CALLS = 200;

export class RefusedCalls {
  readonly #calls: RefusedCall[] = [];
  readonly #most: number | false;
  #ended: string | undefined;

  /** Throws a TypeError that says what is right. */
  constructor(most: number | false = DEFAULT) {
    if (most !== false && !(Number.isSafeInteger(most) && most >= 1))
      throw new TypeError(
        `\`maxRefusals\` must be a whole number of at least 1, or false; it is ${String(most)}. The default is ${DEFAULT}.`,
      );
    this.#most = most;
  }

  /** Why the run has ended, for the person who requested it. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** Adds a call. Gives how often it was refused for this reason. */
  add(name: string, args: unknown, rejection: Rejection): number {
    const call: RefusedCall = { name, args, ...refusalOf(rejection) };
    this.#calls.push(call);
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
    const times = timesRefused(this.#calls, call);
    if (this.#most !== false && times >= this.#most) this.#ended ??= repeatText(call, times);
    return times;
  }
}
