// The page's switch for its connection, to show how it works offline. A reload keeps it.
//
// Invariant: every request of this page goes through its `fetch`.

import type { Client } from "@opstate/client";
import { createStore } from "zustand/vanilla";

export type Connection = ReturnType<typeof createConnection>;

/** `storageKey`: where in this tab's storage it is kept that the connection is cut. */
export function createConnection(storageKey: string) {
  const store = createStore<{ readonly cut: boolean }>()(() => ({ cut: sessionStorage.getItem(storageKey) !== null }));
  let controller = new AbortController();
  const end = () => controller.abort(new TypeError("The connection is cut."));
  if (store.getState().cut) end();
  return Object.assign(store, {
    /** Cutting also aborts requests that are under way. */
    set(cut: boolean) {
      if (cut === store.getState().cut) return;
      if (cut) sessionStorage.setItem(storageKey, "cut");
      else sessionStorage.removeItem(storageKey);
      if (cut) end();
      else controller = new AbortController();
      store.setState({ cut });
    },
    async fetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
      const { signal } = controller;
      signal.throwIfAborted();
      return globalThis.fetch(input, {
        ...init,
        signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      });
    },
  });
}

/**
 * Disconnects the client while the connection is cut: it may have the one of another tab, which no
 * `fetch` of this page ends. Returns the function that stops it.
 */
export function switchClient(connection: Connection, client: Pick<Client, "connect" | "disconnect">): () => void {
  const follow = ({ cut }: { readonly cut: boolean }) => (cut ? client.disconnect() : client.connect());
  follow(connection.getState());
  return connection.subscribe(follow);
}
