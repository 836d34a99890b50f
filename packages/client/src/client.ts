// A client: the threads that a page, a worker or a job holds, on one connection.
//
// Invariants:
// - Making a client, or asking it for a thread, opens and sends nothing: both may be done while a
//   page is rendered, on a server too.
// - One id has one thread, of one definition.

import { type Actor, type AnyDefinition, defined, type PendingOperation, type Thread } from "@opstate/core";
import type { Right } from "@opstate/core/thread";
import { threadsAuthority } from "@opstate/client/threads";
import { clientOn } from "./client-on.ts";
import type { ClientThread } from "./client-thread.ts";
import { type CarrierOver, httpAuthority, type HttpAuthorityOptions } from "./connection/http/http-authority.ts";
import type { FindThread } from "./connection/threads-carrier.ts";
import type { ClientStorage } from "./storage/storage.ts";
import { once } from "./once.ts";
import type { ThreadOptions } from "./thread/create-client-thread.ts";

/** Threads of this process: on a server, in tests, in stories. */
export interface ThreadsOptions {
  /** The threads, or what finds one by its id; undefined: there is none. */
  readonly threads: readonly Thread[] | FindThread;
  /** Who submits here. */
  readonly actor: Actor;
  /** Which rights the actor has beyond its own work. Default: those of its kind. */
  readonly allows?: (right: Right, threadId: string) => boolean;
}

/** Threads of a server. */
export interface ServerOptions extends HttpAuthorityOptions {
  /**
   * Who submits, where the page knows it before the server says it, such as from a sign-in. Then
   * edits make their final ids at once. The server decides who it is in any case.
   */
  readonly identity?: Actor | undefined;
  /**
   * Saves the last state and the pending edits over a reload, for each actor:
   * `indexedDbStorage()`. Without one, a page asks before it is left while an edit is pending.
   */
  readonly storage?: ClientStorage | undefined;
  /**
   * Whether tabs of this origin share one connection, which one of them has and the others use.
   * Only those share that have all of this in common: the address, the headers that they send, the
   * way in which they send cookies, the actor that the server confirmed, and the definitions and
   * versions that they use when it does. Where headers differ from tab to tab, such as by a token
   * of its own for each, so do the connections. Default: true in browsers, unless there is a
   * `fetch`: it is not known then which credentials it sends. With `true` you say that it sends
   * those of the same actor with the same rights in all tabs.
   */
  readonly tabs?: boolean | undefined;
}

export type ClientOptions = (ServerOptions | ThreadsOptions) & {
  /** Called with what a listener threw. Default: an unhandled rejection. */
  readonly onError?: (error: unknown) => void;
};

export interface Client {
  /**
   * The thread of this id. The same id gives the same object. Throws an OpstateError:
   * `definition_mismatch` when the id was used with another definition, `closed` for a new id after
   * `close`.
   */
  thread<D extends AnyDefinition>(definition: D, threadId: string, options?: ThreadOptions<D>): ClientThread<D>;
  /** Tries again at once what waits: lost connections, and threads that were not admitted. */
  retry(): void;
  /**
   * Ends the connection until `connect`, as a lost network would: threads are offline, and their
   * edits stay pending. Other tabs keep theirs. Calls, such as those of `history`, are requests of
   * their own and still made.
   */
  disconnect(): void;
  connect(): void;
  /**
   * Drops what is stored of this actor, and closes. Other tabs of the actor are `unauthenticated`
   * then, until their `retry`. Where edits are pending, in this tab or in the store that all tabs
   * share, it does nothing, and says which: ask, then call it with `anyway`, and what is stored is
   * gone.
   */
  signOut(options?: { readonly anyway?: boolean }): Promise<SignedOut>;
  /** Ends the connection and every thread. Verdicts that have not come are not waited for. */
  close(): void;
}

/** `done`: the store is dropped and the client is closed. `waiting`: what had no verdict yet. */
export interface SignedOut {
  readonly done: boolean;
  readonly waiting: readonly { readonly threadId: string; readonly pending: readonly PendingOperation[] }[];
}

/**
 * Creates a client.
 *
 * @example
 * ```ts
 * import { createClient } from "@opstate/client";
 * import { defineState, memoryLog, openThread } from "@opstate/core";
 * import { z } from "zod";
 *
 * const counter = defineState({
 *   name: "counter",
 *   schema: z.object({ count: z.int() }),
 *   initial: { count: 0 },
 *   operations: {
 *     add: {
 *       input: z.object({ by: z.int() }),
 *       apply(draft, { by }) {
 *         draft.count += by;
 *       },
 *     },
 *   },
 * });
 *
 * const thread = await openThread({ definition: counter, log: memoryLog(), threadId: "visits" });
 * const client = createClient({ threads: [thread], actor: { kind: "user", id: "ada" } });
 * const visits = client.thread(counter, "visits");
 * const verdict = visits.dispatch(counter.op.add({ by: 1 }));
 * visits.getState(); // { count: 1 }
 * (await verdict).accepted; // true
 * await visits.undo();
 * visits.getState(); // { count: 0 }
 * client.close();
 * ```
 */
export function createClient(options: ClientOptions): Client {
  const { onError } = options;
  if ("threads" in options) return clientOn(threadsAuthority(options), { isLocal: true, onError });
  const { url, storage, identity, tabs = options.fetch === undefined } = options;
  const definitions: Record<string, number> = {};
  const loadShared = async (): Promise<CarrierOver> => {
    const { tabsOfOrigin } = await import("./tabs-of-origin.ts");
    return (requester) => tabsOfOrigin(requester, { ...options, definitions: () => definitions });
  };
  return clientOn(
    { ...httpAuthority(options, tabs && hasTabs() ? loadShared : undefined), ...defined({ actor: identity }) },
    {
      definitions,
      loadStores:
        storage &&
        once(async () => {
          const { openStores } = await import("./storage/stores.ts");
          return openStores(storage, url, identity);
        }),
      url: hasTabs() ? url : undefined,
      isLocal: false,
      onError,
    },
  );
}

/** Whether tabs can find each other here. Node has locks and channels, and no pages. */
function hasTabs(): boolean {
  const { navigator, BroadcastChannel, location } = globalThis as {
    readonly navigator?: { readonly locks?: unknown };
    readonly BroadcastChannel?: unknown;
    readonly location?: unknown;
  };
  return Boolean(navigator?.locks && BroadcastChannel && location);
}
