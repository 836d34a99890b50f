// The database of an `indexedDbStorage`: opening it, and one transaction at a time on it.
//
//   actors     url                             -> the actor of the last time
//              [url, kind, actor]              -> its session
//   snapshots  [url, kind, actor, thread]      -> a snapshot
//   edits      1, 2, 3, ...                    -> an edit and where it belongs
//                by "thread"  [url, kind, actor, thread], in the order of saving
//                by "id"      [url, kind, actor, thread, id], one of each
//
// Invariants:
// - A call is one transaction: it is done as a whole, or nothing of it.
// - Another tab may upgrade or delete the database at any time: this one closes it at once, and
//   opens it again with the next call.
// - Every failure is a `StorageError`, and nothing is thrown outside of a call.

import type { DbConnection, DbFactory, DbMode, DbRequest, DbStore, DbTransaction } from "./indexed-db.ts";
import { StorageError, type StorageErrorCode } from "./storage-error.ts";

/** Of the layout above. A change of it adds its step where it is opened. */
const LAYOUT = 1;

type Store = "actors" | "snapshots" | "edits";

export interface DatabaseOptions {
  readonly name: string;
  /** Read with the first call only. */
  factory(): DbFactory | undefined;
}

export class Database {
  readonly #options: DatabaseOptions;
  #opened: Promise<DbConnection> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /**
   * Runs one transaction. `work` makes requests at once and in what follows on others, and gives
   * its result to `done`.
   */
  async run<T>(stores: readonly Store[], mode: DbMode, work: (call: Call<T>) => void): Promise<T> {
    const database = await this.#open();
    let transaction: DbTransaction;
    try {
      transaction = begin(database, stores, mode);
    } catch {
      // It was closed by the browser or for another tab, and the event that says so is on its way.
      this.#forget(database);
      transaction = begin(await this.#open(), stores, mode);
    }
    return new Call<T>(transaction).run(work);
  }

  #open(): Promise<DbConnection> {
    if (this.#opened !== undefined) return this.#opened;
    const opening = openDatabase(this.#options, (database) => this.#forget(database));
    this.#opened = opening;
    // The next call tries again.
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return opening;
  }

  #forget(database: DbConnection): void {
    database.close();
    this.#opened = undefined;
  }
}

function openDatabase({ name, factory }: DatabaseOptions, onClosed: (database: DbConnection) => void) {
  return new Promise<DbConnection>((resolve, reject) => {
    let isBlocked = false;
    let request: DbRequest<DbConnection>;
    try {
      const found = factory();
      if (found === undefined) throw new Error("There is no IndexedDB.");
      request = found.open(name, LAYOUT);
    } catch (cause) {
      return reject(
        new StorageError("unavailable", "This host has no IndexedDB, or does not allow it here.", { cause }),
      );
    }
    request.addEventListener("upgradeneeded", ({ oldVersion }) => {
      if (oldVersion === 0) createStores(request.result);
    });
    request.addEventListener("blocked", () => {
      isBlocked = true;
      reject(new StorageError("blocked", `Another tab keeps the database "${name}" from being upgraded.`));
    });
    request.addEventListener("error", (event) => {
      // Else Firefox reports it as an error of the page.
      event.preventDefault();
      reject(storageError(request.error, "opening the database"));
    });
    request.addEventListener("success", () => {
      const database = request.result;
      // The call got the error that it is blocked. The next one opens the database again.
      if (isBlocked) return database.close();
      database.addEventListener("versionchange", () => onClosed(database));
      database.addEventListener("close", () => onClosed(database));
      resolve(database);
    });
  });
}

function createStores(database: DbConnection): void {
  database.createObjectStore("actors");
  database.createObjectStore("snapshots");
  const edits = database.createObjectStore("edits", { autoIncrement: true });
  edits.createIndex("thread", "thread");
  edits.createIndex("id", "id", { unique: true });
}

function begin(database: DbConnection, stores: readonly Store[], mode: DbMode): DbTransaction {
  // What was saved has to survive a crash of the machine too.
  return database.transaction(stores, mode, { durability: stores.includes("edits") ? "strict" : "default" });
}

/** One transaction while it is made, as the caller of `run` sees it. */
export class Call<T> {
  readonly #transaction: DbTransaction;
  #result: { readonly value: T } | undefined;
  /** The first one: a transaction that ends fails all of its requests. */
  #error: unknown;

  constructor(transaction: DbTransaction) {
    this.#transaction = transaction;
  }

  store(name: Store): DbStore {
    return this.#transaction.objectStore(name);
  }

  /**
   * Continues with what a request gave. IndexedDB does not know what it stores; this package alone
   * writes into its database, so the type is the caller's word.
   */
  after<R>(request: DbRequest, next: (result: R) => void): void {
    request.addEventListener("success", () => {
      // Thrown out of here, an error would be one of the page.
      try {
        next(request.result as R);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  done(result: T): void {
    this.#result = { value: result };
  }

  /** Runs it, and resolves when everything is stored. */
  run(work: (call: Call<T>) => void): Promise<T> {
    const transaction = this.#transaction;
    return new Promise((resolve, reject) => {
      transaction.addEventListener("complete", () =>
        this.#result === undefined
          ? reject(new StorageError("failed", "A transaction of IndexedDB ended without a result."))
          : resolve(this.#result.value),
      );
      transaction.addEventListener("abort", () =>
        reject(storageError(this.#error ?? transaction.error, "a transaction")),
      );
      transaction.addEventListener("error", (event) => {
        // Else Firefox reports it as an error of the page. It would also end the transaction.
        event.preventDefault();
        this.#fail((event.target as Partial<DbRequest> | null)?.error);
      });
      try {
        work(this);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    try {
      this.#transaction.abort();
    } catch {
      // It has ended already.
    }
  }
}

/** What IndexedDB's errors mean here, by their names. */
const CODES = new Map<string, { readonly code: StorageErrorCode; readonly message: string }>([
  ["QuotaExceededError", { code: "full", message: "The storage of this origin is full." }],
  ["VersionError", { code: "outdated", message: "A newer version of this page has upgraded the database: reload." }],
  ["DataCloneError", { code: "not_json", message: "This value cannot be stored: it is not plain JSON." }],
  ["SecurityError", { code: "unavailable", message: "The browser does not allow IndexedDB here." }],
  // Firefox in a private window, before version 115.
  ["InvalidStateError", { code: "unavailable", message: "The browser does not allow IndexedDB here." }],
]);

function storageError(cause: unknown, during: string): StorageError {
  if (cause instanceof StorageError) return cause;
  const name = typeof cause === "object" && cause !== null ? String(Reflect.get(cause, "name")) : "";
  const known = CODES.get(name);
  if (known !== undefined) return new StorageError(known.code, known.message, { cause });
  return new StorageError("failed", `IndexedDB failed during ${during}: ${String(cause)}`, { cause });
}
