// The object of one thread and its branches: the server on a log of its own. It is the only one
// that writes them, wherever its readers are.
//
// Invariants:
// - Nothing that is acknowledged is in memory alone. So the platform may end the object between any
//   two requests.
// - An object without threads stores nothing: `deleteAll`, once the index knows it.
// - An object whose readers are on WebSockets alone rests when nothing happens: it has no server
//   then, and no timer.

import type { WatchedLog } from "@opstate/core/log";
import { createFetchServer, type FetchServer } from "@opstate/server/fetch";
import { indexStub } from "./addresses.ts";
import type { EdgeBindings, OptionsOf } from "./edge-options.ts";
import { Listing } from "./listing.ts";
import { objectLog } from "./log/object-log.ts";
import type { ObjectSocket, ObjectState, ObjectStorage } from "./platform.ts";
import { OpenWork } from "./socket/open-work.ts";
import { Sockets } from "./socket/sockets.ts";

/** Milliseconds until what could not be done with a request is done by an alarm. */
const LATER = 30_000;

/** Milliseconds without anything to do, after which it rests. */
const REST_AFTER = 10_000;

interface Opened {
  readonly log: WatchedLog;
  readonly server: FetchServer;
  readonly listing: Listing;
}

export class ThreadObject<Env extends EdgeBindings> {
  readonly #storage: ObjectStorage;
  readonly #env: Env;
  readonly #optionsOf: OptionsOf<Env>;
  readonly #work = new OpenWork();
  readonly #sockets: Sockets;
  #opened: Opened | undefined;
  /** Requests under way. */
  #open = 0;
  /** It gets empty, or goes to rest. */
  #closing: Promise<void> | undefined;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  #activeAt = 0;

  constructor(state: ObjectState, env: Env, optionsOf: OptionsOf<Env>) {
    this.#storage = state.storage;
    this.#env = env;
    this.#optionsOf = optionsOf;
    this.#sockets = new Sockets(state, {
      origins: optionsOf(env).origins ?? [],
      fetch: (request) => this.#ready().server.fetch(request),
      onActivity: () => this.#onActivity(),
    });
  }

  async fetch(request: Request): Promise<Response> {
    const socket = this.#sockets.accept(request);
    if (socket !== undefined) return socket;
    const opened = await this.#begin();
    let isStream = false;
    try {
      const answer = await opened.server.fetch(request);
      isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
      return isStream ? this.#work.streamed(answer) : answer;
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

  /** A message of a page. That a tab is still there is one, and nothing to stay awake for. */
  async webSocketMessage(socket: ObjectSocket, message: unknown): Promise<void> {
    const opened = await this.#begin(false);
    try {
      await this.#sockets.receive(socket, message);
    } finally {
      await this.#end(opened, true);
    }
  }

  /** A page has left. */
  async webSocketClose(socket: ObjectSocket): Promise<void> {
    this.#sockets.remove(socket);
    // The others see that it left.
    if (this.#sockets.areSome) await this.#end(await this.#begin(), true);
  }

  webSocketError(socket: ObjectSocket): Promise<void> {
    return this.webSocketClose(socket);
  }

  async #begin(isActivity = true): Promise<Opened> {
    while (this.#closing) await this.#closing;
    const opened = this.#ready();
    this.#open += 1;
    if (isActivity) this.#onActivity();
    else this.#look();
    return opened;
  }

  #onActivity(): void {
    this.#activeAt = Date.now();
    this.#look();
  }

  async #restIfQuiet(): Promise<void> {
    this.#restTimer = undefined;
    const { authorize, onError = console.error } = this.#optionsOf(this.#env);
    const isQuiet = () =>
      this.#open === 0 && this.#work.isNone && !this.#closing && Date.now() - this.#activeAt >= REST_AFTER;
    // Where some credentials are not valid any more, its stream finds it out.
    const expiry = isQuiet() ? await this.#sockets.expiry(authorize).catch(() => undefined) : undefined;
    if (expiry === undefined || !isQuiet() || !this.#sockets.rest()) return this.#look();
    this.#closing = this.#closeAndSleep(expiry)
      .catch(onError)
      .finally(() => {
        this.#closing = undefined;
      });
  }

  /** Later, whether it can rest. */
  #look(): void {
    if (this.#restTimer !== undefined || !this.#sockets.areSome) return;
    const left = this.#activeAt + REST_AFTER - Date.now();
    this.#restTimer = setTimeout(() => void this.#restIfQuiet(), left > 0 ? left : REST_AFTER);
  }

  /** Woken at `expiry`, it asks `authorize` again. */
  async #closeAndSleep(expiry: number): Promise<void> {
    await this.#close();
    const alarm = (await this.#storage.getAlarm()) ?? Infinity;
    if (expiry < alarm) await this.#storage.setAlarm(expiry);
  }

  /** `isStream`: the answer is a stream, which goes on. */
  async #end(opened: Opened, isStream: boolean): Promise<void> {
    this.#open -= 1;
    if (this.#open > 0 || opened.listing.hasThreads || opened.listing.hasNews) return;
    if (isStream) await this.#storage.setAlarm(Date.now() + LATER);
    else await this.#empty();
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
    const options = this.#optionsOf(this.#env);
    const agents = this.#work.counted(options.agents ?? {});
    const server = createFetchServer({ ...options, agents, log, idleMinutes: Infinity });
    this.#opened = { log, server, listing };
    this.#sockets.resume();
    return this.#opened;
  }

  async #report(listing: Listing): Promise<void> {
    if (!listing.hasNews) return;
    await listing.report(indexStub(this.#env.OPSTATE_INDEX));
    if (!listing.hasNews) await this.#storage.deleteAlarm();
  }

  async #empty(): Promise<void> {
    this.#closing = (async () => {
      await this.#close();
      await this.#storage.deleteAll();
    })().finally(() => {
      this.#closing = undefined;
    });
    await this.#closing;
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.server.close();
    // No sweep of the old tables goes on in the new ones.
    await opened?.log.close();
  }
}
