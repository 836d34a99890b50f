// The parts of IndexedDB that are used here, in types: not every host that uses this package has
// those of a browser.

export type DbKey = string | number | DbKey[];

/** Events come to listeners, so that a listener of the host's own does not take their place. */
interface Emitter {
  addEventListener(type: string, listener: (event: DbEvent) => void): void;
}

export interface DbEvent {
  readonly target: unknown;
  readonly oldVersion?: number;
  preventDefault(): void;
}

export interface DbRequest<Result = unknown> extends Emitter {
  readonly result: Result;
  readonly error: unknown;
}

export interface DbIndex {
  getAll(keys: DbKey | DbRange): DbRequest;
  getAllKeys(keys: DbKey | DbRange): DbRequest;
  getKey(key: DbKey): DbRequest;
}

export interface DbStore {
  get(key: DbKey): DbRequest;
  put(value: unknown, key: DbKey): DbRequest;
  add(value: unknown): DbRequest;
  delete(keys: DbKey | DbRange): DbRequest;
  index(name: string): DbIndex;
  createIndex(name: string, keyPath: string, options?: { unique?: boolean }): DbIndex;
}

export interface DbTransaction extends Emitter {
  readonly error: unknown;
  objectStore(name: string): DbStore;
  abort(): void;
}

export type DbMode = "readonly" | "readwrite";

export interface DbConnection extends Emitter {
  createObjectStore(name: string, options?: { autoIncrement?: boolean }): DbStore;
  transaction(stores: readonly string[], mode: DbMode, options: { durability: "strict" | "default" }): DbTransaction;
  close(): void;
}

/** `globalThis.indexedDB`, or what takes its place. */
export interface DbFactory {
  open(name: string, version: number): DbRequest<DbConnection>;
}

export interface DbRange {
  readonly lower: unknown;
  readonly upper: unknown;
  readonly lowerOpen: boolean;
  readonly upperOpen: boolean;
  includes(key: unknown): boolean;
}

interface RangeMaker {
  bound(from: DbKey, to: DbKey): DbRange;
}

interface Host {
  readonly indexedDB?: DbFactory;
  readonly IDBKeyRange: RangeMaker;
}

/** What the host has, read when it is used. */
export function hostOf(): Host {
  const host: unknown = globalThis;
  return host as Host;
}
