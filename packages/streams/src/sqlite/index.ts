// Durable streams in one SQLite file: the embedded default. It needs nothing but Node.
//
// Invariant: a write whose promise resolved is fsynced.

import { PolledHeads } from "../sql/polled-heads.ts";
import { type Change, Programs } from "../sql/programs.ts";
import type { Program } from "../sql/program.ts";
import { guardedStore } from "../store/guarded-store.ts";
import type { StreamStore } from "../store/store.ts";
import type { CallOptions } from "@opstate/core/log";
import { openDatabase } from "./open-database.ts";
import { Writer } from "./writer.ts";

export interface SqliteStreamsOptions {
  /**
   * The path of the file. A missing directory is created. `":memory:"` stores nothing on disk, for
   * tests.
   */
  readonly path: string;
  /**
   * Milliseconds that a call waits while another process has the file locked. Then it rejects with
   * `log_unavailable`, and nothing was done. The event loop is not blocked. Default 5,000.
   */
  readonly lockTimeout?: number;
  /**
   * Milliseconds between two looks at whether another process wrote, while streams are followed. A
   * look reads no table. Default 50.
   */
  readonly pollInterval?: number;
  /** Milliseconds since 1970, for tests. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Streams in one SQLite file (`node:sqlite`, WAL, `synchronous=FULL`). Queued writes share one
 * transaction. Processes that share the file follow each other's streams. Throws an OpstateError
 * `log_unavailable` when the file cannot be opened, belongs to another program, or was written by a
 * newer release.
 *
 * @example
 * ```ts
 * import { sqliteStreams } from "@opstate/streams/sqlite";
 *
 * const store = sqliteStreams({ path: "data/streams.sqlite" });
 * await store.create("run-1", { contentType: "application/json", ttl: 3_600 });
 * ```
 */
export function sqliteStreams(options: SqliteStreamsOptions): StreamStore {
  const { path, lockTimeout = 5_000, pollInterval = 50, now = Date.now } = options;
  if (!(lockTimeout >= 0))
    throw new RangeError(`\`lockTimeout\` must be a number of milliseconds from 0 on, not ${lockTimeout}.`);
  if (!(pollInterval > 0))
    throw new RangeError(`\`pollInterval\` must be a number of milliseconds above 0, not ${pollInterval}.`);
  const database = openDatabase(path);
  const writer = new Writer({ database, path, lockTimeout });
  const programs = new Programs({ lock: "", lockFree: "" });
  const dataVersion = database.prepare("PRAGMA data_version");
  let seen: unknown;
  let sweeping: Promise<void> | undefined;
  let isClosed = false;
  const heads = new PolledHeads({
    // No other process can write to what is no file.
    interval: path === ":memory:" ? Infinity : pollInterval,
    hasMoved() {
      const before = seen;
      seen = dataVersion.get()?.["data_version"];
      return seen !== before;
    },
    heads: (ids) => writer.read(() => programs.heads(ids)),
  });

  /** Writes, and notifies those who watch once it is durable. */
  async function write<T>(make: (change: Change) => Program<T>, call?: CallOptions): Promise<T> {
    const changed = new Set<string>();
    const value = await writer.write(() => {
      changed.clear();
      return make({ now: now(), changed });
    }, call);
    for (const id of changed) heads.changed(id);
    return value;
  }

  async function sweep(): Promise<void> {
    for (let goesOn = true; goesOn;) goesOn = (await writer.write(() => programs.sweep())) && !isClosed;
  }

  /** In slices behind the writes of others. What fails is done by the next one. */
  function sweepSoon(): void {
    sweeping ??= sweep()
      .catch(() => undefined)
      .finally(() => (sweeping = undefined));
  }

  sweepSoon();

  return guardedStore({
    async create(id, stream = {}, call) {
      const created = await write((change) => programs.create(id, stream, change), call);
      if (created.status === "created") sweepSoon();
      return created;
    },
    info: (id, call) => writer.read(() => programs.info(id, now()), call),
    append: (id, append, call) => write((change) => programs.append(id, append, change), call),
    async read(id, range = {}, call) {
      const { read, renew } = await writer.read(() => programs.read(id, range, now()), call);
      // It is read in any case. The next read renews it.
      if (renew !== undefined) await writer.write(() => programs.renew(id, renew), call).catch(() => undefined);
      return read;
    },
    async delete(id, call) {
      const deleted = await write((change) => programs.delete(id, change), call);
      sweepSoon();
      return deleted;
    },
    watch: (id, onChange) => heads.watch(id, onChange),
    async close() {
      isClosed = true;
      await heads.close();
      await writer.idle();
      await sweeping;
      database.close();
    },
  });
}
