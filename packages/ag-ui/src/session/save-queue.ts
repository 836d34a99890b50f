// Saves a conversation in a storage.
//
// Invariants:
// - One call of the storage at a time.
// - The newest state is saved last. A state that waits is replaced by a newer one.
// - An error is reported, and the next call is made all the same.

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

  /**
   * Calls `show` with the stored conversation, at once when `load` returns no promise. Never
   * rejects.
   */
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

  /** Resolves when no call is running or waiting. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Of the calls that come while one is running, only the last is made: it has the whole state. */
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
