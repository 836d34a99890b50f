// What a contract suite is made of: named cases that throw when the contract is broken. No test
// framework is needed to run them.

import { canonicalJson } from "../../thread/log/operation-hash.ts";

/** One promise of a contract: `run` rejects with an error that says how it is broken. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Equal as JSON, whatever the order of keys. */
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
