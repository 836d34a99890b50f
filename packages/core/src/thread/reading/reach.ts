// Waits until an open thread shows what its log is known to hold.

import type { Thread } from "../thread.ts";

/** What follows the log, by the thread that `openThread` gave. */
export const reaches = new WeakMap<Thread, (version: number) => Promise<void>>();

/**
 * Has an open thread read its log up to a version that another process stored, without waiting to
 * be notified of it. Resolves when the thread shows that version, or when the log does not have it:
 * `thread.version` says which.
 *
 * @example
 * ```ts
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { reach } from "@opstate/core/thread";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.number() }),
 *   initial: { count: 0 },
 *   operations: {},
 * });
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * await reach(thread, 3);
 * thread.version; // 0
 * ```
 */
export async function reach(thread: Thread, version: number): Promise<void> {
  await reaches.get(thread)?.(version);
}
