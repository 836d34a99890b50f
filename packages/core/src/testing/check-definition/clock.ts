// A clock that stands still, for code that must not read one.

/** Runs with `Date` standing still at a time. */
export function atTime<Value>(now: number, act: () => Value): Value {
  const RealDate = globalThis.Date;
  class FrozenDate extends RealDate {
    constructor(...args: unknown[]) {
      // A date that is given is no clock.
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
