// Where a server keeps its log, as JSON for another process.

import type { WatchedLog } from "@opstate/core/log";
import { Pool, type PoolConfig } from "pg";
import { spreadLog } from "../../src/index.ts";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";

export type Store =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly config: PoolConfig; readonly schema: string }
  /** Its threads are spread over these. */
  | { readonly kind: "spread"; readonly stores: readonly Store[] };

export function openStore(store: Store): WatchedLog {
  if (store.kind === "sqlite") return sqliteLog({ path: store.path });
  if (store.kind === "postgres")
    return postgresLog({ pool: new Pool({ ...store.config, max: 8 }), schema: store.schema });
  return spreadLog({ logs: Object.fromEntries(store.stores.map((one, index) => [`log-${index}`, openStore(one)])) });
}
