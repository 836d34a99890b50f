// A store on `node:sqlite`, in this thread: its file may be another process's too.

import type { DatabaseSync } from "node:sqlite";
import type { CallOptions } from "@opstate/core/log";
import { Heads } from "./heads.ts";
import { retryWhileLocked } from "./locked.ts";
import { sqlStore } from "./sql-store.ts";
import type { OnHead, StoreCalls, StoreOptions } from "./store.ts";
import { WalEraser } from "./wal-eraser.ts";
import { Writer } from "./writer.ts";

/** `database`: with its tables, of this store alone. It is closed with the store. */
export function localStore(options: StoreOptions, database: DatabaseSync, onHead: OnHead): StoreCalls {
  const { path, refusalsPerActor, lockTimeout, pollInterval } = options;
  const lock = { path, lockTimeout };
  const writer = new Writer(database, lock);
  const eraser = new WalEraser(database);
  // From here on timers wait for a lock. SQLite's own wait would stop every other call.
  database.exec("PRAGMA busy_timeout = 0");

  function read<T>(call: CallOptions | undefined, query: () => T): Promise<T> {
    return retryWhileLocked(query, lock, call);
  }

  return sqlStore({
    database,
    name: path,
    refusalsPerActor,
    writer,
    eraser,
    // No other process can write to a log that is no file.
    heads: (headOf) =>
      new Heads({ headOf, onHead, ...(path !== ":memory:" && { poll: { database, interval: pollInterval } }) }),
    read,
    readConsistently: (call, query) =>
      read(call, () => {
        database.exec("BEGIN");
        try {
          return query();
        } finally {
          database.exec("COMMIT");
        }
      }),
    close() {
      eraser.close();
      if (database.isOpen) database.close();
    },
  });
}
