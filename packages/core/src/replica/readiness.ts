// One wait for the first confirmed state. What was rejected stays so: another try has another wait.

export class Readiness {
  readonly promise: Promise<void>;
  rejected = false;
  #resolve: () => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #settled = false;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Nobody need wait for it.
    this.promise.catch(() => undefined);
  }

  resolve(): void {
    this.#settled = true;
    this.#resolve();
  }

  reject(error: Error): void {
    if (this.#settled) return;
    this.#settled = true;
    this.rejected = true;
    this.#reject(error);
  }
}
