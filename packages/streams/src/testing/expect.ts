// What the cases of the contract check with. They need no test framework.

import type { Read, StreamPage } from "../store/store.ts";

/** One case. `run` rejects with an error that says how the contract is broken. */
export interface StreamContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Whether what was got has at least the members that are wanted. */
export function expectLike(what: string, actual: unknown, wanted: unknown): void {
  if (isLike(actual, wanted)) return;
  throw new Error(`${what}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)?.slice(0, 600)}`);
}

function isLike(actual: unknown, wanted: unknown): boolean {
  if (Object.is(actual, wanted)) return true;
  if (typeof actual !== "object" || typeof wanted !== "object" || actual === null || wanted === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(actual) || actual.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([key, value]) => isLike((actual as Record<string, unknown>)[key], value));
}

export async function expectRejects(what: string, code: string, promise: Promise<unknown>): Promise<void> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const got = error instanceof Error ? ("code" in error ? error.code : error.name) : "nothing";
  if (got !== code) throw new Error(`${what}: expected it to reject with ${code}, got ${String(got)}`);
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The messages of a page as texts. Throws when there is no such stream. */
export function textsOf(read: Read): readonly string[] {
  return pageOf(read).messages.map((message) => new TextDecoder().decode(message));
}

export function pageOf(read: Read): StreamPage {
  if (read.status === "found") return read;
  throw new Error(`expected a page, got ${JSON.stringify(read)}`);
}
