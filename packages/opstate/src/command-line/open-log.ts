// Which log an address means.
//
//   data/boards.sqlite, sqlite:data/boards.sqlite    a SQLite file
//   postgres://..., postgresql://...                 a Postgres database

import { existsSync } from "node:fs";
import { defined, OpstateError } from "@opstate/core";
import type { FullLog } from "@opstate/core/log";
import { sqliteLog } from "@opstate/server/sqlite";

export type Address =
  | { readonly kind: "sqlite"; readonly path: string }
  | { readonly kind: "postgres"; readonly url: string; readonly schema: string | undefined };

export function readAddress(text: string, schema: string | undefined): Address {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: "postgres", url: text, schema };
  return { kind: "sqlite", path: text.replace(/^sqlite:/, "") };
}

export interface OpenLog {
  readonly log: FullLog;
  close(): Promise<void>;
}

/** Throws an OpstateError `log_unavailable`. A SQLite file is made only when `create` says so. */
export async function openLog(address: Address, { create }: { readonly create: boolean }): Promise<OpenLog> {
  if (address.kind === "sqlite") {
    if (!create && !existsSync(address.path))
      throw new OpstateError("log_unavailable", `There is no file "${address.path}".`);
    // A command serves no other caller, so it needs no worker.
    const log = sqliteLog({ path: address.path, worker: false });
    return { log, close: () => log.close() };
  }
  const { Pool } = await import("pg").then(
    ({ default: pg }) => pg,
    () => {
      throw new OpstateError("log_unavailable", 'A Postgres log needs the package "pg": npm install pg.');
    },
  );
  const { postgresLog } = await import("@opstate/server/postgres");
  const pool = new Pool({ connectionString: address.url });
  const log = postgresLog({ pool, doorbell: false, ...defined({ schema: address.schema }) });
  return {
    log,
    async close() {
      await log.close();
      await pool.end();
    },
  };
}
