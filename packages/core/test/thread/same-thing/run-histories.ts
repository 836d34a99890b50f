// Random histories, one after the other, until the oracle finds a fault, or whatever it finds.

import fc from "fast-check";
import { Violation } from "./claims.ts";
import { history } from "./history.ts";
import { World } from "./world.ts";

export interface Histories {
  readonly numRuns: number;
  /** Without it the histories are others each time. */
  readonly seed?: number;
  /** How often each case was met: added to what is there. */
  readonly counts: Map<string, number>;
  /** Called with each fault; the run goes on. Without it, it ends with the first. */
  onFault?(fault: Violation): void;
}

/** The fault in words, with the shortest history that has it and the seed; undefined: none. */
export async function runHistories({ counts, onFault, ...parameters }: Histories): Promise<string | undefined> {
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const property = fc.asyncProperty(history, async (steps) => {
    try {
      await new World(count).run(steps);
    } catch (error) {
      if (onFault === undefined || !(error instanceof Violation)) throw error;
      onFault(error);
    }
  });
  const details = await fc.check(property, parameters);
  return details.failed ? `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}` : undefined;
}
