// A fixed clock and watched randomness, for code that must read neither.

/** What code read that is another value in every run. */
export type Impure = "a clock" | "randomness";

/**
 * Calls `act` while `Date` always gives the time `now`. `onRead` is called for each reading of the
 * time, and of `Math.random`.
 */
export function atTime<Value>(now: number, act: () => Value, onRead: (what: Impure) => void = () => undefined): Value {
  const RealDate = globalThis.Date;
  const realRandom = Math.random;
  class FrozenDate extends RealDate {
    constructor(...args: unknown[]) {
      // With arguments, `Date` reads no clock.
      super(...((args.length === 0 ? [now] : args) as [number]));
      if (args.length === 0) onRead("a clock");
    }
    static override now(): number {
      onRead("a clock");
      return now;
    }
  }
  globalThis.Date = FrozenDate as DateConstructor;
  Math.random = () => {
    onRead("randomness");
    return realRandom();
  };
  try {
    return act();
  } finally {
    globalThis.Date = RealDate;
    Math.random = realRandom;
  }
}
