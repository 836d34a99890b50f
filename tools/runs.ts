// How often a property runs: three depths, one place.
//
// - `pnpm test`: the short form.
// - `pnpm test:long` sets OPSTATE_DEPTH=long: the long form.
// - OPSTATE_RUNS says a number of its own, for a soak of one file.
//
// The first two have fixed seeds, so that they find the same today and tomorrow. A soak draws its
// own; it says the seed of what it finds.

/** The number of runs at the present depth. */
export function runs(short: number, long = 100_000): number {
  const asked = process.env["OPSTATE_RUNS"];
  if (asked !== undefined && asked !== "") return positive(asked);
  return isLong() ? long : short;
}

/** The seed of `test` and `test:long`; undefined where a soak draws its own. */
export function fixedSeed(): number | undefined {
  return asksForRuns() ? undefined : isLong() ? 2 : 1;
}

/** Whether this is a long run, or one of a number of its own. */
export function isLong(): boolean {
  return process.env["OPSTATE_DEPTH"] === "long" || asksForRuns();
}

function asksForRuns(): boolean {
  return Boolean(process.env["OPSTATE_RUNS"]);
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new RangeError(`OPSTATE_RUNS is a number of runs, such as 100000, not "${text}".`);
}
