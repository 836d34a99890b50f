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

/** Milliseconds until what could not be done with a request is done by an alarm. */
const LATER = 30_000;

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
    const opened = await this.#begin();
    let isStream = false;
    try {
      const answer = await opened.server.fetch(request);
      isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
      return answer;
    } finally {
      // Before the answer, so that a client that created a thread finds it in the list.
      await this.#report(opened.listing).catch(this.#optionsOf(this.#env).onError ?? console.error);
      await this.#end(opened, isStream);
    }
  }

  /** The platform calls it again when it rejects. */
  async alarm(): Promise<void> {
    const opened = await this.#begin();
    try {
      await this.#report(opened.listing);
    } finally {
      await this.#end(opened, false);
    }
  }

  async #begin(): Promise<Opened> {
    while (this.#emptying) await this.#emptying;
    const opened = this.#ready();
    this.#open += 1;
    return opened;
  }

  /** `isStream`: the answer is a stream, which goes on. */
  async #end(opened: Opened, isStream: boolean): Promise<void> {
    this.#open -= 1;
    if (this.#open > 0 || opened.listing.hasThreads || opened.listing.hasNews) return;
    if (isStream) await this.#storage.setAlarm(Date.now() + LATER);
    else await this.#empty(opened);
  }

  #ready(): Opened {
    if (this.#opened) return this.#opened;
    const { sql } = this.#storage;
    const log = objectLog(this.#storage, {
      // In the turn of the write, so that both are stored or none.
      onWritten: () => {
        if (listing.hasNews) void this.#storage.setAlarm(Date.now() + LATER);
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

  async #empty({ server, log }: Opened): Promise<void> {
    this.#opened = undefined;
    this.#emptying = (async () => {
      await server.close();
      // No sweep of the old tables goes on in the new ones.
      await log.close();
      await this.#storage.deleteAll();
    })().finally(() => {
      this.#emptying = undefined;
    });
    await this.#emptying;
  }
}
