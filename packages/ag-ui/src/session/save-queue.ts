// Keeps a conversation in a storage: one call at a time, the newest state last, failures reported
// and survived.

import type { ChatStorage } from "./chat-storage.ts";
import type { SavedChat } from "./saved-chat.ts";

export class SaveQueue {
  readonly #storage: ChatStorage | undefined;
  readonly #onError: (error: unknown) => void;
  #next: (() => void | Promise<void>) | undefined;
  #running: Promise<void> | undefined;

  constructor(storage: ChatStorage | undefined, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  /** Gives what is stored to `show`, at once where the storage answers at once. Never rejects. */
  load(threadId: string, show: (chat: SavedChat) => void): Promise<void> {
    const showFound = (chat: SavedChat | undefined) => {
      if (chat !== undefined) show(chat);
    };
    try {
      const found = this.#storage?.load(threadId);
      if (found instanceof Promise) return found.then(showFound).catch(this.#onError);
      showFound(found);
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
    while (this.#running !== undefined) await this.#running;
  }

  /** Of those that wait for one under way, the last counts: it says all. */
  #schedule(work: () => void | Promise<void>): void {
    if (this.#running !== undefined) this.#next = work;
    else this.#start(work);
  }

  #start(work: () => void | Promise<void>): void {
    try {
      const done = work();
      if (done instanceof Promise) this.#running = done.catch(this.#onError).then(() => this.#startNext());
    } catch (error) {
      this.#onError(error);
    }
  }

  #startNext(): void {
    const next = this.#next;
    this.#next = undefined;
    this.#running = undefined;
    if (next !== undefined) this.#start(next);
  }
}
