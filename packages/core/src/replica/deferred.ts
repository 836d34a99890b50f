// A promise, and what resolves or rejects it. A rejection that no caller waits for is no unhandled
// one.

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: Deferred<T>["resolve"] = () => undefined;
  let reject: Deferred<T>["reject"] = () => undefined;
  const promise = new Promise<T>((...ends) => ([resolve, reject] = ends));
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
