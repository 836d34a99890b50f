// Random histories, one after the other, until the oracle finds a fault.

import fc from "fast-check";
import { history } from "./history.ts";
import { World } from "./world.ts";

export interface Histories {
  readonly numRuns: number;
  /** Without it the histories are others each time. */
  readonly seed?: number;
  /** Of a fault that is known: where in the seed it is. */
  readonly path?: string;
  /** How often each case was met: added to what is there. */
  readonly counts: Map<string, number>;
}

/** The fault in words, with the shortest history that has it and the seed; undefined: none. */
export async function runHistories({ counts, ...parameters }: Histories): Promise<string | undefined> {
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(history, (steps) => new World(count).run(steps));
  const details = await fc.check(property, parameters);
  return details.failed ? `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}` : undefined;
}
