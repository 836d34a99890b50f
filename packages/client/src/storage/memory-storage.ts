// What a client keeps, in memory: for tests, and for hosts without IndexedDB. It ends with the
// process. Clients that are given the same object share it, as tabs share a database.

import type { Actor } from "@opstate/core";
import { randomId, sameActor } from "@opstate/core/thread";
import type { ClientStorage, StorageScope, StoredEdit, StoredSnapshot, StoredThread } from "./storage.ts";
import { isOlder } from "./is-older.ts";
import { signedOut, StorageError } from "./storage-error.ts";

/** Values are kept as JSON text, so that they cannot be changed afterwards. */
interface Entry {
  snapshot?: string | undefined;
  /** By submission id, in order. */
  readonly edits: Map<string, string>;
}

/**
 * A storage in memory.
 *
 * @example
 * ```ts
 * import { memoryStorage } from "@opstate/client";
 *
 * const storage = memoryStorage();
 * await storage.setLastActor("https://boards.example.com", { kind: "user", id: "ada" });
 * await storage.lastActor("https://boards.example.com"); // { kind: "user", id: "ada" }
 * ```
 */
export function memoryStorage(): ClientStorage {
  const actors = new Map<string, string>();
  /** By scope. */
  const sessions = new Map<string, string>();
  /** By scope, then by thread. */
  const scopes = new Map<string, Map<string, Entry>>();

  function check(scope: StorageScope): void {
    if (scope.session !== undefined && scope.session !== sessions.get(keyOf(scope))) throw signedOut();
  }

  function entryOf(scope: StorageScope, threadId: string): Entry {
    check(scope);
    const key = keyOf(scope);
    const threads = scopes.get(key) ?? new Map<string, Entry>();
    scopes.set(key, threads);
    const entry = threads.get(threadId) ?? { edits: new Map<string, string>() };
    threads.set(threadId, entry);
    return entry;
  }

  return {
    async lastActor(url) {
      return read(actors.get(url));
    },
    async setLastActor(url, actor) {
      if (actor === undefined) actors.delete(url);
      else actors.set(url, write({ kind: actor.kind, id: actor.id }));
    },
    async begin(scope) {
      const session = sessions.get(keyOf(scope)) ?? randomId();
      sessions.set(keyOf(scope), session);
      return session;
    },
    async load(scope, threadId): Promise<StoredThread> {
      check(scope);
      const { snapshot, edits } = scopes.get(keyOf(scope))?.get(threadId) ?? { edits: new Map<string, string>() };
      return {
        ...(snapshot !== undefined && { snapshot: JSON.parse(snapshot) as StoredSnapshot }),
        edits: [...edits.values()].map((edit) => JSON.parse(edit) as StoredEdit),
      };
    },
    async saveSnapshot(scope, threadId, snapshot, decided = []) {
      const text = write(snapshot);
      const entry = entryOf(scope, threadId);
      for (const id of decided) entry.edits.delete(id);
      if (!isOlder(snapshot, read<StoredSnapshot>(entry.snapshot))) entry.snapshot = text;
    },
    async dropSnapshot(scope, threadId) {
      entryOf(scope, threadId).snapshot = undefined;
    },
    async saveEdit(scope, threadId, edit) {
      entryOf(scope, threadId).edits.set(edit.id, write(edit));
    },
    async removeEdits(scope, threadId, ids) {
      const { edits } = entryOf(scope, threadId);
      for (const id of ids) edits.delete(id);
    },
    async allEdits(scope) {
      check(scope);
      const threads = [...(scopes.get(keyOf(scope)) ?? [])].filter(([, { edits }]) => edits.size > 0);
      return new Map(
        threads.map(([threadId, { edits }]) => [
          threadId,
          [...edits.values()].map((each) => JSON.parse(each) as StoredEdit),
        ]),
      );
    },
    async clear(scope) {
      const { url, actor, session } = scope;
      if (session !== undefined && session !== sessions.get(keyOf(scope))) return;
      sessions.delete(keyOf(scope));
      scopes.delete(keyOf(scope));
      const last = read<Actor>(actors.get(url));
      if (last !== undefined && sameActor(last, actor)) actors.delete(url);
    },
  };
}

function keyOf({ url, actor }: StorageScope): string {
  return JSON.stringify([url, actor.kind, actor.id]);
}

function read<T>(text: string | undefined): T | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

function write(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new StorageError("not_json", "This value cannot be stored: it is not plain JSON.", { cause });
  }
}
