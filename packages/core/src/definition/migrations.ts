// What brings a stored state of an older version to today's: one function for all versions, or a
// chain of steps, each from one version to the next.
//
//   version: 4, migrate: { 1: toSecond, 2: toThird, 3: toFourth }
//
//   stored by version 2   ->   toThird   ->   toFourth   ->   checked by today's schema
//
// Invariant: a chain has a step for every version from its first to the one before today's. Its
// first may be later than 1: what was stored before that is not opened.

import { isObject } from "../json/container.ts";
import type { Model } from "../engine/model.ts";
import { isSynchronous } from "./synchronous.ts";

/** `migrate` as an author writes it. */
export type WrittenMigrate =
  | ((state: unknown, fromVersion: number) => unknown)
  | { readonly [fromVersion: number]: (state: unknown) => unknown };

/** What is wrong with `migrate`, in a definition of this version. */
export function migrateFaults(migrate: unknown, version: number): readonly string[] {
  if (migrate === undefined) return [];
  if (!isObject(migrate))
    return isSynchronous(migrate)
      ? []
      : ["migrate must be a synchronous function of a stored state and its version, or a chain: { 1: (state) => ... }"];
  const keys = Object.keys(migrate);
  const wrong = keys.filter((key) => !/^[1-9]\d*$/.test(key));
  if (wrong.length > 0)
    return wrong.map((key) => `migrate has a step "${key}"; a step is named by a version: 1, 2, 3...`);
  const faults = keys
    .filter((key) => !isSynchronous(migrate[key]))
    .map((key) => `migrate ${key} must be a synchronous function of a stored state`);
  const from = keys.map(Number);
  for (const step of from.filter((each) => each >= version))
    faults.push(`migrate ${step} leads to version ${step + 1}, and the definition has version ${version}`);
  const first = Math.min(...from, version - 1);
  for (let step = Math.max(1, first); step < version; step += 1)
    if (!from.includes(step)) faults.push(`migrate ${step} is missing: it leads from version ${step} to ${step + 1}`);
  return faults;
}

/** As the engine calls it. It throws what a step throws, with the step in its words. */
export function compileMigrate(migrate: WrittenMigrate | undefined, version: number): Model["migrate"] {
  if (migrate === undefined || typeof migrate === "function") return migrate;
  return (state, fromVersion) => {
    let reached = state;
    for (let from = fromVersion; from < version; from += 1) {
      const step = Object.hasOwn(migrate, from) ? migrate[from] : undefined;
      if (step === undefined) throw new Error(`there is no step from version ${from}`);
      reached = run(step, reached, from);
      if (reached === undefined) throw new Error(`step ${from} gave nothing: return the new state`);
    }
    return reached;
  };
}

function run(step: (state: unknown) => unknown, state: unknown, from: number): unknown {
  try {
    return step(state);
  } catch (error) {
    throw new Error(`step ${from}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
