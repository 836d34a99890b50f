// The parts of a contract suite: named cases that throw when the contract is broken. They need no
// test framework.

import { canonicalJson } from "../../json/canonical.ts";

/** One case of a contract. `run` rejects with an error that says how the contract is broken. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Compares as JSON. The order of keys does not matter. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const got = canonicalJson(actual);
  const wanted = canonicalJson(expected);
  if (got !== wanted) throw new Error(`${what}: expected ${cut(wanted)}, got ${cut(got)}`);
}

export function expectTrue(what: string, condition: boolean): void {
  if (!condition) throw new Error(what);
}

export async function expectRejects(what: string, promise: Promise<unknown>): Promise<void> {
  const outcome = await promise.then(
    () => "resolved",
    () => "rejected",
  );
  if (outcome !== "rejected") throw new Error(`${what}: expected the promise to reject`);
}

function cut(text: string): string {
  return text.length <= 600 ? text : `${text.slice(0, 600)}... (${text.length} characters)`;
}
