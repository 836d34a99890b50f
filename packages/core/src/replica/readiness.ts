// A promise of the first confirmed state. A rejected one stays rejected: the next attempt has a new
// `Readiness`.

export class Readiness {
  readonly promise: Promise<void>;
  rejected = false;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #done = false;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A rejection that no caller waits for is no unhandled one.
    this.promise.catch(() => undefined);
  }

  resolve(): void {
    this.#done = true;
    this.#resolve();
  }

  reject(error: Error): void {
    if (this.#done) return;
    this.#done = true;
    this.rejected = true;
    this.#reject(error);
  }
}
