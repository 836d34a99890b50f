// The session of an actor on this device, which ends in all tabs at once. Loaded with the first
// thread that connects where there are tabs, and for signing out.
//
// Invariant: every tab is notified of the end, also one that is not connected, or shares nothing
// else with the tab that signs out. The store refuses what a tab saves before it is notified
// (storage/storage.ts).

import { type Actor, OpstateError, type PendingOperation } from "@opstate/core";
import type { Source } from "@opstate/core/readable";
import type { SignedOut } from "./client.ts";
import type { ClientOnOptions } from "./client-on.ts";
import type { ClientThread } from "./client-thread.ts";
import type { SharedConnection } from "./connection/shared-connection.ts";
import type { StorageScope } from "./storage/storage.ts";
import type { StoreOwner } from "./storage/store-owner.ts";
import type { Stores } from "./storage/stores.ts";
import type { ThreadStore } from "./storage/thread-store.ts";
import { browserPorts, type TabChannel } from "./tabs/ports.ts";

export interface Session {
  /** That of all tabs, where it is allowed. */
  signOut(options?: { readonly anyway?: boolean }): Promise<SignedOut>;
  /** It was ended in another tab. What this one shows stays, and is neither saved nor sent. */
  end(): void;
  close(): void;
}

/** The parts of a client that its session is about. */
export interface SessionParts {
  readonly identity: Source<{ readonly actor?: Actor; readonly isUnconfirmed?: true }>;
  readonly connection: Pick<SharedConnection, "stop">;
  readonly loadStores: (() => Promise<Stores>) | undefined;
  readonly threads: { values(): readonly { readonly thread: ClientThread; store(): ThreadStore | undefined }[] };
  owner(): StoreOwner | undefined;
  close(): void;
}

export type SessionOptions = Pick<ClientOnOptions, "url" | "ports">;

export function createSession(parts: SessionParts, { url, ports = browserPorts() }: SessionOptions): Session {
  const { identity, connection, loadStores } = parts;
  let name: string | undefined;
  let channel: TabChannel | undefined;

  function join(): void {
    const { actor } = identity.getState();
    if (url === undefined || actor === undefined) return;
    const next = JSON.stringify(["opstate session", url.replace(/\/+$/, ""), actor.kind, actor.id]);
    if (next === name) return;
    channel?.close();
    name = next;
    channel = ports?.channel(name, end);
  }

  function end(): void {
    parts.owner()?.end();
    for (const { store } of parts.threads.values()) store()?.end();
    identity.set({ ...identity.getState(), isUnconfirmed: true })();
    connection.stop("unauthenticated", new OpstateError("closed", "This session was ended in another tab."));
  }

  /** In the threads of this tab, and what any tab has stored. */
  async function waiting(owner?: StoreOwner, scope?: StorageScope): Promise<SignedOut["waiting"]> {
    for (const { store } of parts.threads.values()) {
      // Edits that have their verdict leave the store.
      store()?.flush();
      await store()?.saved;
    }
    // A store that cannot be read has nothing that it could lose.
    const stored = scope && (await owner?.storage.allEdits(scope).catch(() => undefined));
    const found = new Map<string, readonly PendingOperation[]>();
    for (const { thread } of parts.threads.values()) found.set(thread.threadId, thread.sync.getState().pending);
    for (const [threadId, edits] of stored ?? []) {
      const own = found.get(threadId) ?? [];
      const others = edits.filter(({ id }) => !own.some((each) => each.id === id));
      found.set(threadId, [...own, ...others.map((edit) => ({ ...edit, status: "queued" as const }))]);
    }
    return [...found].flatMap(([threadId, pending]) => (pending.length > 0 ? [{ threadId, pending }] : []));
  }

  const stop = identity.subscribe(join);
  join();
  return {
    async signOut({ anyway = false } = {}) {
      const owner = (await loadStores?.())?.owner;
      const actor = await owner?.find().catch(() => undefined);
      const scope = actor && owner?.scope(actor);
      const found = await waiting(owner, scope);
      if (found.length > 0 && !anyway) return { done: false, waiting: found };
      channel?.post(0);
      parts.close();
      if (scope !== undefined) await owner?.storage.clear(scope);
      return { done: true, waiting: found };
    },
    end,
    close() {
      stop();
      channel?.close();
    },
  };
}
