// The object of one thread and its branches: the server on a log of its own. It is the only one
// that writes them, wherever its readers are.
//
// Invariants:
// - Nothing that is acknowledged is in memory alone. So the platform may end the object between any
//   two requests.
// - An object without threads stores nothing: `deleteAll`, once the index knows it.

import type { WatchedLog } from "@opstate/core/log";
import { createFetchServer, type FetchServer } from "@opstate/server/fetch";
import { indexStub } from "./addresses.ts";
import type { EdgeBindings, OptionsOf } from "./edge-options.ts";
import { Listing } from "./listing.ts";
import { objectLog } from "./log/object-log.ts";
import type { ObjectState, ObjectStorage } from "./platform.ts";

/** Milliseconds until what the index did not get is sent again. */
const REPORT_AGAIN = 30_000;

interface Opened {
  readonly log: WatchedLog;
  readonly server: FetchServer;
  readonly listing: Listing;
}

export class ThreadObject<Env extends EdgeBindings> {
  readonly #storage: ObjectStorage;
  readonly #env: Env;
  readonly #optionsOf: OptionsOf<Env>;
  #opened: Opened | undefined;
  /** Requests under way. */
  #open = 0;
  #emptying: Promise<void> | undefined;

  constructor({ storage }: ObjectState, env: Env, optionsOf: OptionsOf<Env>) {
    this.#storage = storage;
    this.#env = env;
    this.#optionsOf = optionsOf;
  }

  async fetch(request: Request): Promise<Response> {
    while (this.#emptying) await this.#emptying;
    this.#open += 1;
    const { server, listing } = this.#ready();
    try {
      return await server.fetch(request);
    } finally {
      // Before the answer, so that whoever created a thread finds it in the list.
      await this.#report(listing).catch(this.#optionsOf(this.#env).onError ?? console.error);
      this.#open -= 1;
      if (this.#open === 0) await this.#emptyUnused();
    }
  }

  /** The platform calls it again when it rejects. */
  async alarm(): Promise<void> {
    while (this.#emptying) await this.#emptying;
    this.#open += 1;
    try {
      await this.#report(this.#ready().listing);
    } finally {
      this.#open -= 1;
    }
    if (this.#open === 0) await this.#emptyUnused();
  }

  #ready(): Opened {
    if (this.#opened) return this.#opened;
    const { sql } = this.#storage;
    const log = objectLog(this.#storage, {
      // In the turn of the write, so that both are stored or none.
      onWritten: () => {
        if (listing.hasNews) void this.#storage.setAlarm(Date.now() + REPORT_AGAIN);
      },
    });
    const listing = this.#storage.transactionSync(() => new Listing(sql));
    const server = createFetchServer({ ...this.#optionsOf(this.#env), log, idleMinutes: Infinity });
    this.#opened = { log, server, listing };
    return this.#opened;
  }

  async #report(listing: Listing): Promise<void> {
    if (!listing.hasNews) return;
    await listing.report(indexStub(this.#env.OPSTATE_INDEX));
    if (!listing.hasNews) await this.#storage.deleteAlarm();
  }

  async #emptyUnused(): Promise<void> {
    const opened = this.#opened;
    if (!opened || opened.listing.hasThreads || opened.listing.hasNews) return;
    this.#opened = undefined;
    this.#emptying = (async () => {
      await opened.server.close();
      // No sweep of the old tables goes on in the new ones.
      await opened.log.close();
      await this.#storage.deleteAll();
    })().finally(() => {
      this.#emptying = undefined;
    });
    await this.#emptying;
  }
}
