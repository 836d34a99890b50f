// The log of one Durable Object: in its SQLite, which no other object has.
//
// Invariant: what an object answers leaves it when its writes are durable (the platform's output
// gate). So every acknowledged append is durable.

import type { WatchedLog } from "@opstate/core/log";
import { sqlLog } from "@opstate/server/sql";
import type { ObjectStorage } from "../platform.ts";
import { LongTexts } from "./long-texts.ts";
import { objectDatabase } from "./object-database.ts";

export interface ObjectLogOptions {
  /** How many refusals are kept per thread and actor, the newest ones. Default 1,000. */
  readonly refusalsPerActor?: number;
  /** Called after each transaction, in the same turn of the event loop. */
  readonly onWritten?: () => void;
}

/**
 * A log in the storage of a Durable Object, for an object of your own. The threads of `createEdge`
 * have theirs.
 *
 * @example
 * ```ts
 * import { openThread } from "@opstate/core";
 * import { objectLog } from "@opstate/cloudflare";
 *
 * const log = objectLog(this.ctx.storage);
 * const thread = await openThread({ definition: board, log, threadId: "launch" });
 * ```
 */
export function objectLog(
  storage: Pick<ObjectStorage, "sql" | "transactionSync">,
  { onWritten, ...options }: ObjectLogOptions = {},
): WatchedLog {
  const longTexts = new LongTexts(storage.sql);
  let isReady = false;
  const log = sqlLog({
    database: objectDatabase(storage.sql, longTexts),
    transaction(write) {
      const written = storage.transactionSync(write);
      if (isReady) onWritten?.();
      return written;
    },
    name: "the storage of this object",
    ...options,
  });
  storage.transactionSync(() => longTexts.prepare());
  isReady = true;
  return log;
}
