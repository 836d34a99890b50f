// A fixed clock, for code that must not read the time.

/** Calls `act` while `Date` always gives the time `now`. */
export function atTime<Value>(now: number, act: () => Value): Value {
  const RealDate = globalThis.Date;
  class FrozenDate extends RealDate {
    constructor(...args: unknown[]) {
      // With arguments, `Date` reads no clock.
      super(...((args.length === 0 ? [now] : args) as [number]));
    }
    static override now(): number {
      return now;
    }
  }
  globalThis.Date = FrozenDate as DateConstructor;
  try {
    return act();
  } finally {
    globalThis.Date = RealDate;
  }
}
