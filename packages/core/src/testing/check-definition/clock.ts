// A stopped clock, for code that must not read the time.

/** Runs a function with `Date` stopped at a time. */
export function atTime<Value>(now: number, act: () => Value): Value {
  const Present = globalThis.Date;
  class Still extends Present {
    constructor(...args: unknown[]) {
      // A date with arguments does not read the clock.
      super(...((args.length === 0 ? [now] : args) as [number]));
    }
    static override now(): number {
      return now;
    }
  }
  globalThis.Date = Still as DateConstructor;
  try {
    return act();
  } finally {
    globalThis.Date = Present;
  }
}
