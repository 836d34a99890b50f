// What a Durable Object gets from its platform, as far as it is used here. Cloudflare's own types
// have these shapes, so an application brings those.

export type SqlStorageValue = ArrayBuffer | string | number | null;

export interface SqlCursor extends Iterable<Record<string, SqlStorageValue>> {
  next(): IteratorResult<Record<string, SqlStorageValue>>;
  readonly rowsWritten: number;
}

export interface SqlStorage {
  exec(query: string, ...values: readonly SqlStorageValue[]): SqlCursor;
}

export interface ObjectStorage {
  readonly sql: SqlStorage;
  transactionSync<T>(run: () => T): T;
  deleteAll(): Promise<void>;
  getAlarm(): Promise<number | null>;
  setAlarm(time: number): Promise<void>;
  deleteAlarm(): Promise<void>;
}

/** The object's end of a WebSocket. It outlives the object's memory; so does what is attached. */
export interface ObjectSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Throws when the value is larger than the platform takes. */
  serializeAttachment(value: unknown): void;
  deserializeAttachment(): unknown;
}

export interface ObjectState {
  readonly storage: ObjectStorage;
  waitUntil(promise: Promise<unknown>): void;
  acceptWebSocket(socket: ObjectSocket): void;
  getWebSockets(): ObjectSocket[];
  /** The platform answers such a text by itself. */
  setWebSocketAutoResponse(pair: object): void;
}

/** One object, seen from outside. */
export interface ObjectStub {
  fetch(request: Request): Promise<Response>;
}

/** All objects of one class, by their names. */
export interface ObjectNamespace {
  idFromName(name: string): ObjectId;
  get(id: ObjectId): ObjectStub;
}

/** Made by the platform, given back to it. */
export type ObjectId = object;
