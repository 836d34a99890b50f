// The vectors of this package: plain JSON beside its code.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Scenario } from "./run/scenario.ts";

/** The folder of the vectors. */
export const vectorsPath = fileURLToPath(new URL("../vectors", import.meta.url));

export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(`${vectorsPath}/${name}.json`, "utf8")) as T;
}

/** A scenario with the name of its file: "undo". */
export interface NamedScenario extends Scenario {
  readonly group: string;
}

/** All scenarios, file after file. */
export function readScenarios(): readonly NamedScenario[] {
  const files = readdirSync(`${vectorsPath}/scenarios`).toSorted();
  return files.flatMap((file) => {
    const group = file.replace(".json", "");
    return readVectors<readonly Scenario[]>(`scenarios/${group}`).map((scenario) => ({ ...scenario, group }));
  });
}
