// Whether memory is flat: what it was in the last ten minutes, to what it was after the first ten.

import type { SteadyMinute } from "./steady-soak.ts";

/** Absent for a soak of less than half an hour. */
export function growth(minutes: readonly SteadyMinute[]): number | undefined {
  if (minutes.length < 30) return undefined;
  return mean(minutes.slice(-10)) / mean(minutes.slice(10, 20));
}

function mean(minutes: readonly SteadyMinute[]): number {
  return minutes.reduce((sum, { memory }) => sum + memory, 0) / minutes.length;
}
