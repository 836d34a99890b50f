// How often a property runs: three depths, one place.
//
// - `pnpm test`: the short form.
// - `pnpm test:long` sets OPSTATE_DEPTH=long: the long form.
// - OPSTATE_RUNS says a number of its own, for a soak of one file.

/** The number of runs at the present depth. A run that is not the short one draws its own seeds. */
export function runs(short: number, long = 100_000): number {
  const asked = process.env["OPSTATE_RUNS"];
  if (asked !== undefined && asked !== "") return positive(asked);
  return isLong() ? long : short;
}

/** Whether this is a long run, or one of a number of its own. */
export function isLong(): boolean {
  return process.env["OPSTATE_DEPTH"] === "long" || Boolean(process.env["OPSTATE_RUNS"]);
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new RangeError(`OPSTATE_RUNS is a number of runs, such as 100000, not "${text}".`);
}
