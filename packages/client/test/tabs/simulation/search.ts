// Searches seed after seed for a run that breaks a rule, and shortens it to the steps that are
// needed.

import { shrink } from "../../../../../tools/shrink.ts";
import { type Parts, simulate } from "./simulate.ts";
import { planOf, type Step } from "./plan.ts";

/** The first failing run in words; undefined when there is none. */
export async function search(first: number, runs: number, parts?: Parts): Promise<string | undefined> {
  for (let seed = first; seed < first + runs; seed++) {
    const steps = planOf(seed);
    if ((await failure(steps, parts)) === undefined) continue;
    const left = await shrink(steps, async (fewer) => (await failure(fewer, parts)) !== undefined);
    const lines = left.map((step) => JSON.stringify(step)).join("\n");
    return `Seed ${seed}: ${String(await failure(left, parts))}\nThe steps:\n${lines}`;
  }
  return undefined;
}

async function failure(steps: readonly Step[], parts?: Parts): Promise<unknown> {
  try {
    await simulate(steps, parts);
    return undefined;
  } catch (error) {
    return error ?? "thrown: nothing";
  }
}
