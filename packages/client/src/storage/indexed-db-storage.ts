// The storage of a page in IndexedDB. Its code is requested at once: no first paint waits for it.

import { once } from "../once.ts";
import type { IndexedDbStorageOptions } from "./database-storage.ts";
import { StorageError } from "./storage-error.ts";
import type { ClientStorage } from "./storage.ts";

/**
 * A storage in IndexedDB. Making it opens nothing. A call that fails rejects with a `StorageError`.
 *
 * @example
 * ```ts
 * import { indexedDbStorage } from "@opstate/client";
 *
 * const storage = indexedDbStorage({ name: "boards" });
 * ```
 */
export function indexedDbStorage(options: IndexedDbStorageOptions = {}): ClientStorage {
  const load = once(async () => {
    try {
      const { databaseStorage } = await import("./database-storage.ts");
      return databaseStorage(options);
    } catch (cause) {
      throw new StorageError("unavailable", "The code of the storage could not be loaded.", { cause });
    }
  });
  // The next call tries again.
  load().catch(() => undefined);

  return {
    lastActor: async (...given) => (await load()).lastActor(...given),
    setLastActor: async (...given) => (await load()).setLastActor(...given),
    begin: async (...given) => (await load()).begin(...given),
    load: async (...given) => (await load()).load(...given),
    allEdits: async (...given) => (await load()).allEdits(...given),
    saveSnapshot: async (...given) => (await load()).saveSnapshot(...given),
    dropSnapshot: async (...given) => (await load()).dropSnapshot(...given),
    saveEdit: async (...given) => (await load()).saveEdit(...given),
    removeEdits: async (...given) => (await load()).removeEdits(...given),
    clear: async (...given) => (await load()).clear(...given),
  };
}
