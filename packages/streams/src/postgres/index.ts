// Durable streams in PostgreSQL, for several server processes on the same streams.
//
// Invariants:
// - A write whose promise resolved is committed, with a flushed WAL.
// - The stream's row is locked while a write is judged, on whatever node.
// - Reads go to the same database as writes, never to a replica of it.

import { OpstateError } from "@opstate/core";
import type { CallOptions } from "@opstate/core/log";
import type { Pool } from "pg";
import { PolledHeads } from "../sql/polled-heads.ts";
import type { Program } from "../sql/program.ts";
import { type Change, Programs } from "../sql/programs.ts";
import { guardedStore } from "../store/guarded-store.ts";
import type { StreamStore } from "../store/store.ts";
import { Database } from "./database.ts";
import { Doorbell, tokenOf } from "./doorbell.ts";
import { prepareSchema } from "./schema.ts";

export interface PostgresStreamsOptions {
  /**
   * A pool of the `pg` package, connected to the primary. The caller ends it, after the store was
   * closed.
   */
  readonly pool: Pool;
  /** The schema of the tables. It is created when it is missing. Default "opstate_streams". */
  readonly schema?: string;
  /**
   * Milliseconds between two polls of the heads of followed streams. The poll is the safety net of
   * the doorbell. Default 1,500.
   */
  readonly pollInterval?: number;
  /**
   * Whether nodes announce changes to each other by NOTIFY, on one connection per store beside the
   * pool's. Default true. Set it to false behind a proxy that shares connections between
   * transactions; then the poll remains.
   */
  readonly doorbell?: boolean;
  /**
   * Milliseconds after which a call without a deadline of its own rejects with `timed_out`. Its
   * statement is cancelled, and its connection leaves the pool. Default 15,000.
   */
  readonly callTimeout?: number;
  /** Milliseconds since 1970, for tests. Default `Date.now`: the nodes' clocks should agree. */
  readonly now?: () => number;
}

/**
 * Streams in PostgreSQL 13 or newer. Processes that share the database follow each other's streams.
 * The tables are created at the first use.
 *
 * Calls reject with an OpstateError `log_unavailable` when the database stays away, was written by
 * a newer release, or has `synchronous_commit = off`. An invalid schema name throws.
 *
 * @example
 * ```ts
 * import { postgresStreams } from "@opstate/streams/postgres";
 * import { Pool } from "pg";
 *
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL });
 * const store = postgresStreams({ pool });
 * await store.create("run-1", { contentType: "application/json", ttl: 3_600 });
 * ```
 */
export function postgresStreams(options: PostgresStreamsOptions): StreamStore {
  const { pool, schema = "opstate_streams", pollInterval = 1_500, callTimeout = 15_000, now = Date.now } = options;
  if (!(callTimeout > 0))
    throw new RangeError(`\`callTimeout\` must be a number of milliseconds above 0, not ${callTimeout}.`);
  if (!(pollInterval > 0))
    throw new RangeError(`\`pollInterval\` must be a number of milliseconds above 0, not ${pollInterval}.`);
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new OpstateError(
      "log_unavailable",
      `"${schema}" cannot be the Postgres schema of streams. Use 1 to 40 lowercase letters, digits and underscores, not beginning with a digit.`,
    );
  }
  const database = new Database({ pool, schema, callTimeout });
  const programs = new Programs({
    lock: "FOR UPDATE",
    lockFree: "FOR UPDATE SKIP LOCKED",
    lockOwner: (owner) => ({
      text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))",
      values: [`${schema} ${owner}`],
    }),
  });
  const heads = new PolledHeads({
    interval: pollInterval,
    heads: (ids) => ready().then(() => database.read(() => programs.heads(ids))),
  });
  const doorbell =
    (options.doorbell ?? true)
      ? new Doorbell({
          pool,
          channel: schema,
          onRing(tokens) {
            for (const id of heads.ids) if (tokens.has(tokenOf(id))) heads.changed(id);
          },
          onListening: () => heads.look(),
        })
      : undefined;
  let prepared: Promise<void> | undefined;
  let sweeping: Promise<void> | undefined;
  let isClosed = false;

  // Without a listener, a lost idle connection of the pool would end the process.
  const ignore = () => undefined;
  pool.on("error", ignore);

  /** After a failure the next call tries again. */
  function ready(): Promise<void> {
    prepared ??= database
      .write(() => prepareSchema(schema))
      .catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
    return prepared;
  }

  async function read<T>(make: () => Program<T>, call?: CallOptions): Promise<T> {
    await ready();
    return database.read(make, call);
  }

  /** Writes, and notifies those who watch, here and on other nodes, once it is durable. */
  async function write<T>(make: (change: Change) => Program<T>, call?: CallOptions): Promise<T> {
    await ready();
    let changed = new Set<string>();
    const value = await database.write(() => {
      changed = new Set();
      return make({ now: now(), changed });
    }, call);
    for (const id of changed) {
      heads.changed(id);
      doorbell?.ring(id);
    }
    return value;
  }

  async function sweep(): Promise<void> {
    for (let goesOn = true; goesOn;) goesOn = (await database.write(() => programs.sweep())) && !isClosed;
  }

  /** In slices beside the calls of others. What fails is done by the next one. */
  function sweepSoon(): void {
    sweeping ??= sweep()
      .catch(() => undefined)
      .finally(() => (sweeping = undefined));
  }

  return guardedStore({
    async create(id, stream = {}, call) {
      const created = await write((change) => programs.create(id, stream, change), call);
      if (created.status === "created") sweepSoon();
      return created;
    },
    info: (id, call) => read(() => programs.info(id, now()), call),
    append: (id, append, call) => write((change) => programs.append(id, append, change), call),
    async read(id, range = {}, call) {
      const { read: found, renew } = await read(() => programs.read(id, range, now()), call);
      // It is read in any case. The next read renews it.
      if (renew !== undefined) await database.write(() => programs.renew(id, renew), call).catch(() => undefined);
      return found;
    },
    async delete(id, call) {
      const deleted = await write((change) => programs.delete(id, change), call);
      sweepSoon();
      return deleted;
    },
    watch(id, onChange) {
      doorbell?.listen();
      return heads.watch(id, onChange);
    },
    async close() {
      isClosed = true;
      await sweeping;
      await doorbell?.close();
      await heads.close();
      pool.off("error", ignore);
    },
  });
}
