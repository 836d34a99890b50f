// Keeps a conversation in a storage: one call at a time, the newest state last, failures reported
// and survived.

import type { ChatStorage } from "./chat-storage.ts";
import type { SavedChat } from "./saved-chat.ts";

export class SaveQueue {
  readonly #storage: ChatStorage | undefined;
  readonly #onError: (error: unknown) => void;
  #next: (() => void | Promise<void>) | undefined;
  #busy: Promise<void> | undefined;

  constructor(storage: ChatStorage | undefined, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  /** Gives what is stored to `adopt`, at once where the storage answers at once. Never rejects. */
  load(threadId: string, adopt: (chat: SavedChat) => void): Promise<void> {
    const take = (chat: SavedChat | undefined) => {
      if (chat !== undefined) adopt(chat);
    };
    try {
      const found = this.#storage?.load(threadId);
      if (found instanceof Promise) return found.then(take).catch(this.#onError);
      take(found);
    } catch (error) {
      this.#onError(error);
    }
    return Promise.resolve();
  }

  save(chat: SavedChat): void {
    this.#schedule(() => this.#storage?.save(chat));
  }

  delete(threadId: string): void {
    this.#schedule(() => this.#storage?.delete(threadId));
  }

  /** Resolves when everything asked for so far was stored. */
  async idle(): Promise<void> {
    while (this.#busy !== undefined) await this.#busy;
  }

  /** Of those that wait for one under way, the last counts: it says all. */
  #schedule(work: () => void | Promise<void>): void {
    if (this.#busy !== undefined) this.#next = work;
    else this.#start(work);
  }

  #start(work: () => void | Promise<void>): void {
    try {
      const done = work();
      if (done instanceof Promise) this.#busy = done.catch(this.#onError).then(() => this.#go());
    } catch (error) {
      this.#onError(error);
    }
  }

  #go(): void {
    const next = this.#next;
    this.#next = undefined;
    this.#busy = undefined;
    if (next !== undefined) this.#start(next);
  }
}
