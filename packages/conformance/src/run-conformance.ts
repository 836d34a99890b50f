// All scenarios on one server, one after the other.

import { randomId } from "@opstate/core/thread";
import { play } from "./run/play.ts";
import type { ServerUnderTest } from "./run/server.ts";
import { readScenarios } from "./vectors.ts";

export interface ConformanceOptions extends ServerUnderTest {
  /** Only the scenarios with this text in their group or name. */
  readonly only?: string;
  /** Called after each scenario. */
  readonly onResult?: (result: ScenarioResult) => void;
}

export interface ScenarioResult {
  readonly group: string;
  readonly name: string;
  /** The first fault, in words; undefined when there is none. */
  readonly fault: string | undefined;
}

/**
 * Plays the scenarios on a server, each on a thread of its own, and gives what came of each.
 *
 * @example
 * ```ts
 * import { runConformance } from "@opstate/conformance";
 *
 * const results = await runConformance({ url: "http://localhost:4310" });
 * results.filter(({ fault }) => fault !== undefined); // what the server does otherwise
 * ```
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly ScenarioResult[]> {
  const { only = "", onResult } = options;
  const wanted = readScenarios().filter(({ group, name }) => `${group}: ${name}`.includes(only));
  const prefix = `conformance-${randomId().slice(0, 8)}`;
  const results: ScenarioResult[] = [];
  for (const [index, scenario] of wanted.entries()) {
    const { group, name } = scenario;
    const result = { group, name, fault: await play(options, scenario, `${prefix}-${index + 1}`) };
    results.push(result);
    onResult?.(result);
  }
  return results;
}
