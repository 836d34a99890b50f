// A promise of the first confirmed state. A rejected one stays rejected: the next attempt has a new
// `Readiness`.

import { deferred } from "./deferred.ts";

export class Readiness {
  readonly #first = deferred<void>();
  readonly promise = this.#first.promise;
  rejected = false;
  #done = false;

  resolve(): void {
    this.#done = true;
    this.#first.resolve();
  }

  reject(error: Error): void {
    this.rejected = !this.#done;
    this.#first.reject(error);
  }
}
