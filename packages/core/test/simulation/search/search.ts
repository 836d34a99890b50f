// Searches seed after seed for a run that breaks a law. The first one is shortened to the steps
// that are needed.

import { shrink } from "../../../../../tools/shrink.ts";
import type { Found } from "./found.ts";
import { type Parts, realParts } from "../parts.ts";
import { planOf, type Step } from "../plan.ts";
import { simulate } from "../simulate.ts";

/** Runs `runs` seeds from `first` on. Returns the first failing one, if there is any. */
export async function search(first: number, runs: number, parts: Parts = realParts): Promise<Found | undefined> {
  for (let done = 0; done < runs; done++) {
    const steps = planOf(first + done);
    if ((await failure(steps, parts)) === undefined) continue;
    const left = await shrink(steps, async (fewer) => (await failure(fewer, parts)) !== undefined);
    return { seed: first + done, runs: done + 1, message: String(await failure(left, parts)), steps: left };
  }
  return undefined;
}

async function failure(steps: readonly Step[], parts: Parts): Promise<unknown> {
  try {
    await simulate(steps, parts);
    return undefined;
  } catch (error) {
    return error ?? "thrown: nothing";
  }
}
