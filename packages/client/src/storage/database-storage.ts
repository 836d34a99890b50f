// What a client keeps over a reload, in one IndexedDB database that all tabs of the origin share.
//
// Invariants:
// - A call that is cut short, such as by the end of its tab, leaves either the old or the new.
// - Edits are in the order in which they were saved, whichever tab saved them. One that is saved
//   again keeps its place.
// - Two tabs may both send a stored edit. It has one id, so it has one effect, and both tabs get
//   its verdict. No tab has to own it, so none is left behind by a tab that ends.

import type { Actor } from "@opstate/core";
import { randomId, sameActor } from "@opstate/core/thread";
import { type Call, Database } from "./database.ts";
import { type DbFactory, type DbKey, type DbMode, type DbRange, hostOf } from "./indexed-db.ts";
import { isOlder } from "./is-older.ts";
import { signedOut } from "./storage-error.ts";
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

/** A call that fails rejects with a `StorageError`. */
export function databaseStorage({ name = "opstate", indexedDB }: IndexedDbStorageOptions): ClientStorage {
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

    begin: (scope) =>
      database.run<string>(["actors"], "readwrite", (call) => {
        const actors = call.store("actors");
        call.after<string | undefined>(actors.get(keyOf(scope)), (known) => {
          const session = known ?? randomId();
          if (known === undefined) actors.put(session, keyOf(scope));
          call.done(session);
        });
      }),

    load: (scope, threadId) =>
      inSession<StoredThread>(scope, ["snapshots", "edits"], "readonly", (call) => {
        const key = keyOf(scope, threadId);
        call.after<StoredSnapshot | undefined>(call.store("snapshots").get(key), (snapshot) =>
          call.after<readonly EditRecord[]>(call.store("edits").index("thread").getAll(key), (records) =>
            call.done({ ...(snapshot !== undefined && { snapshot }), edits: records.map(({ edit }) => edit) }),
          ),
        );
      }),

    allEdits: (scope) =>
      inSession<ReadonlyMap<string, readonly StoredEdit[]>>(scope, ["edits"], "readonly", (call) => {
        call.after<readonly EditRecord[]>(call.store("edits").index("thread").getAll(allOf(scope)), (records) => {
          const byThread = new Map<string, StoredEdit[]>();
          for (const { thread, edit } of records) {
            const threadId = String(Array.isArray(thread) ? thread.at(-1) : thread);
            byThread.set(threadId, [...(byThread.get(threadId) ?? []), edit]);
          }
          call.done(byThread);
        });
      }),

    saveSnapshot: (scope, threadId, snapshot, decided = []) =>
      inSession<void>(scope, decided.length > 0 ? ["snapshots", "edits"] : ["snapshots"], "readwrite", (call) => {
        const snapshots = call.store("snapshots");
        const key = keyOf(scope, threadId);
        call.after<StoredSnapshot | undefined>(snapshots.get(key), (stored) => {
          if (!isOlder(snapshot, stored)) snapshots.put(snapshot, key);
          for (const id of decided) removeAll(call, "id", keyOf(scope, threadId, id));
          call.done();
        });
      }),

    dropSnapshot: (scope, threadId) =>
      inSession<void>(scope, ["snapshots"], "readwrite", (call) => {
        call.store("snapshots").delete(keyOf(scope, threadId));
        call.done();
      }),

    saveEdit: (scope, threadId, edit) =>
      inSession<void>(scope, ["edits"], "readwrite", (call) => {
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
      inSession<void>(scope, ["edits"], "readwrite", (call) => {
        for (const id of ids) removeAll(call, "id", keyOf(scope, threadId, id));
        call.done();
      }),

    clear: (scope) =>
      database.run<void>(["actors", "snapshots", "edits"], "readwrite", (call) => {
        const actors = call.store("actors");
        call.after<string | undefined>(actors.get(keyOf(scope)), (session) => {
          call.done();
          if (scope.session !== undefined && scope.session !== session) return;
          call.after<Actor | undefined>(actors.get(scope.url), (last) => {
            if (last !== undefined && sameActor(last, scope.actor)) actors.delete(scope.url);
          });
          const range = allOf(scope);
          actors.delete(keyOf(scope));
          call.store("snapshots").delete(range);
          removeAll(call, "thread", range);
        });
      }),
  };

  /** A call of a session that has ended is refused, in the transaction that it would be done in. */
  function inSession<T>(
    scope: StorageScope,
    stores: readonly ("snapshots" | "edits")[],
    mode: DbMode,
    work: (call: Call<T>) => void,
  ): Promise<T> {
    const { session } = scope;
    if (session === undefined) return database.run<T>(stores, mode, work);
    return database.run<T>(["actors", ...stores], mode, (call) => {
      call.after<string | undefined>(call.store("actors").get(keyOf(scope)), (current) => {
        if (current !== session) throw signedOut();
        work(call);
      });
    });
  }
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
