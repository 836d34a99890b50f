// The object with the list of all threads: a log in which each of them is a row, without its state.
// The server's own route answers from it, page by page and by rights.

import type { WatchedLog } from "@opstate/core/log";
import { createFetchServer, type FetchServer } from "@opstate/server/fetch";
import { LISTING_PATH } from "./addresses.ts";
import type { OptionsOf } from "./edge-options.ts";
import type { ListedThread } from "./listing.ts";
import { objectLog } from "./log/object-log.ts";
import type { ObjectState } from "./platform.ts";

export class IndexObject<Env> {
  readonly #log: WatchedLog;
  readonly #server: FetchServer;

  constructor({ storage }: ObjectState, env: Env, optionsOf: OptionsOf<Env>) {
    this.#log = objectLog(storage);
    this.#server = createFetchServer({ ...optionsOf(env), log: this.#log, idleMinutes: Infinity });
  }

  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== LISTING_PATH) return this.#server.fetch(request);
    // What the objects of the threads send.
    const news: readonly ListedThread[] = await request.json();
    for (const thread of news) await this.#list(thread);
    return new Response(null, { status: 204 });
  }

  async #list({ threadId, incarnation, definition, at, isThere }: ListedThread): Promise<void> {
    const handle = this.#log.thread(threadId, incarnation);
    if (!isThere) {
      await handle.delete();
      return;
    }
    const listed = { definition, definitionVersion: 1, state: null, at };
    const { status } = await handle.create(listed);
    if (status !== "taken") return;
    // The object of the thread knows that the one before is gone.
    await this.#log.thread(threadId).delete();
    await handle.create(listed);
  }
}
