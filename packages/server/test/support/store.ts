// Where a server keeps its log, as JSON for another process.

import type { Log } from "@opstate/core";
import { Pool, type PoolConfig } from "pg";
import { postgresLog } from "../../src/postgres/index.ts";
import { sqliteLog } from "../../src/sqlite/index.ts";

export type Store =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly config: PoolConfig; readonly schema: string };

export function openStore(store: Store): Log {
  return store.kind === "sqlite"
    ? sqliteLog({ path: store.path })
    : postgresLog({ pool: new Pool({ ...store.config, max: 8 }), schema: store.schema });
}
