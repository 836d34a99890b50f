// What a client keeps over a reload, in one IndexedDB database that all tabs of the origin share.
//
// Invariants:
// - A call that is cut short, such as by the end of its tab, leaves either the old or the new.
// - Edits are in the order in which they were saved, whichever tab saved them. One that is saved
//   again keeps its place.
// - Two tabs may both send a stored edit. It has one id, so it has one effect, and both tabs get
//   its verdict. Nobody has to own it, so none is left behind by a tab that ends.

import type { Actor } from "@opstate/core";
import { type Call, Database } from "./database.ts";
import { type DbFactory, type DbKey, type DbRange, hostOf } from "./indexed-db.ts";
import { isOlder } from "./is-older.ts";
import type { ClientStorage, StorageScope, StoredEdit, StoredSnapshot, StoredThread } from "./storage.ts";

export interface IndexedDbStorageOptions {
  /** Of the database; default "opstate". All tabs of the origin share what one name has. */
  readonly name?: string;
  /** Default: the global one, when something is stored for the first time. */
  readonly indexedDB?: DbFactory;
}

/** How an edit stands in the database. */
interface EditRecord {
  readonly thread: DbKey;
  readonly id: DbKey;
  readonly edit: StoredEdit;
}

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
export function indexedDbStorage({ name = "opstate", indexedDB }: IndexedDbStorageOptions = {}): ClientStorage {
  const database = new Database({
    name,
    factory: () => indexedDB ?? (globalThis as { indexedDB?: DbFactory }).indexedDB,
  });

  return {
    lastActor: (url) =>
      database.run<Actor | undefined>(["actors"], "readonly", (call) => {
        call.after<Actor | undefined>(call.store("actors").get(url), (actor) => call.done(actor));
      }),

    setLastActor: (url, actor) =>
      database.run<void>(["actors"], "readwrite", (call) => {
        const actors = call.store("actors");
        if (actor === undefined) actors.delete(url);
        else actors.put({ kind: actor.kind, id: actor.id }, url);
        call.done();
      }),

    load: (scope, threadId) =>
      database.run<StoredThread>(["snapshots", "edits"], "readonly", (call) => {
        const key = keyOf(scope, threadId);
        call.after<StoredSnapshot | undefined>(call.store("snapshots").get(key), (snapshot) =>
          call.after<readonly EditRecord[]>(call.store("edits").index("thread").getAll(key), (records) =>
            call.done({ ...(snapshot !== undefined && { snapshot }), edits: records.map(({ edit }) => edit) }),
          ),
        );
      }),

    saveSnapshot: (scope, threadId, snapshot, decided = []) =>
      database.run<void>(decided.length > 0 ? ["snapshots", "edits"] : ["snapshots"], "readwrite", (call) => {
        const snapshots = call.store("snapshots");
        const key = keyOf(scope, threadId);
        call.after<StoredSnapshot | undefined>(snapshots.get(key), (stored) => {
          if (!isOlder(snapshot, stored)) snapshots.put(snapshot, key);
          for (const id of decided) removeAll(call, "id", keyOf(scope, threadId, id));
          call.done();
        });
      }),

    dropSnapshot: (scope, threadId) =>
      database.run<void>(["snapshots"], "readwrite", (call) => {
        call.store("snapshots").delete(keyOf(scope, threadId));
        call.done();
      }),

    saveEdit: (scope, threadId, edit) =>
      database.run<void>(["edits"], "readwrite", (call) => {
        const edits = call.store("edits");
        const id = keyOf(scope, threadId, edit.id);
        const record: EditRecord = { thread: keyOf(scope, threadId), id, edit };
        call.after<DbKey | undefined>(edits.index("id").getKey(id), (place) => {
          if (place === undefined) edits.add(record);
          else edits.put(record, place);
          call.done();
        });
      }),

    removeEdits: (scope, threadId, ids) =>
      database.run<void>(["edits"], "readwrite", (call) => {
        for (const id of ids) removeAll(call, "id", keyOf(scope, threadId, id));
        call.done();
      }),

    clear: (scope) =>
      database.run<void>(["snapshots", "edits"], "readwrite", (call) => {
        const range = allOf(scope);
        call.store("snapshots").delete(range);
        removeAll(call, "thread", range);
        call.done();
      }),
  };
}

function keyOf({ url, actor }: StorageScope, ...rest: readonly string[]): string[] {
  return [url, actor.kind, actor.id, ...rest];
}

/** The keys that begin with those of the scope: every list comes after every text. */
function allOf(scope: StorageScope): DbRange {
  return hostOf().IDBKeyRange.bound(keyOf(scope), [...keyOf(scope), []]);
}

function removeAll(call: Call<void>, index: "thread" | "id", keys: DbKey | DbRange): void {
  const edits = call.store("edits");
  call.after<DbKey[]>(edits.index(index).getAllKeys(keys), (places) => {
    for (const place of places) edits.delete(place);
  });
}
