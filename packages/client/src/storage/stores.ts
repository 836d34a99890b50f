// What a client keeps of its threads, and whose it is. Loaded with the first thread that connects,
// where there is a storage.

import type { Actor } from "@opstate/core";
import type { ClientStorage } from "./storage.ts";
import { StoreOwner } from "./store-owner.ts";
import { ThreadStore, type ThreadStoreOptions } from "./thread-store.ts";

export interface Stores {
  readonly owner: StoreOwner;
  open(options: Omit<ThreadStoreOptions, "owner">): ThreadStore;
}

/** `actor`: whom the page itself names, such as from a sign-in. */
export function openStores(storage: ClientStorage, url: string, actor: Actor | undefined): Stores {
  const owner = new StoreOwner(storage, url, actor);
  return { owner, open: (options) => new ThreadStore({ ...options, owner }) };
}
