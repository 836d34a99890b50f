// What is done when another process has the file locked: the loop goes on, and the call is tried
// again until its time is over.

import { setTimeout as delay } from "node:timers/promises";
import { OpstateError } from "@opstate/core";

/**
 * Milliseconds before each further attempt; the last one again and again. An attempt itself waits
 * for nothing.
 */
const PAUSES = [1, 2, 5, 10, 20] as const;

export interface LockOptions {
  readonly path: string;
  /** Milliseconds until a call gives up. */
  readonly lockTimeout: number;
}

/** SQLITE_BUSY, in all its variants: nothing was done. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

export function pauseAfter(attempts: number): Promise<void> {
  return delay(PAUSES[Math.min(attempts, PAUSES.length) - 1]);
}

export function lockedError({ path, lockTimeout }: LockOptions): OpstateError {
  return new OpstateError(
    "log_unavailable",
    `The SQLite log "${path}" has been locked by another process for ${lockTimeout} ms, so nothing was done. Try again once that process has finished its transaction.`,
  );
}

/**
 * For what only reads: other processes keep it waiting while they recover the file after a crash.
 */
export async function untilUnlocked<T>(attempt: () => T, options: LockOptions): Promise<T> {
  const since = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    if (performance.now() - since >= options.lockTimeout) throw lockedError(options);
    await pauseAfter(attempts);
  }
}
