// Retries while another process has the file locked, without blocking the event loop, until the
// call's time is over.

import { setTimeout as delay } from "node:timers/promises";
import type { CallOptions } from "@opstate/core/log";
import { checkCall, logError } from "@opstate/core/log/storage";

/**
 * Milliseconds before each further attempt; the last delay repeats. An attempt itself never waits.
 */
const RETRY_DELAYS = [1, 2, 5, 10, 20] as const;

export interface LockOptions {
  readonly path: string;
  /** Milliseconds until a call fails. */
  readonly lockTimeout: number;
}

/** Whether the error is SQLITE_BUSY in any variant. Then nothing was done. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;
}

export function delayAfter(attempts: number): Promise<void> {
  return delay(RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length) - 1]);
}

export function lockedError({ path, lockTimeout }: LockOptions): Error {
  return logError(
    "log_unavailable",
    `The SQLite log "${path}" has been locked by another process for ${lockTimeout} ms, so nothing was done. Try again once that process has finished its transaction.`,
  );
}

/** For reads. They meet a lock only while another process recovers the file after a crash. */
export async function retryWhileLocked<T>(attempt: () => T, options: LockOptions, call?: CallOptions): Promise<T> {
  const startedAt = performance.now();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    if (performance.now() - startedAt >= options.lockTimeout) throw lockedError(options);
    await delayAfter(attempts);
    checkCall(call);
  }
}
