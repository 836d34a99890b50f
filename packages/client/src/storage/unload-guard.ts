// Asks before a page is left while an edit is pending that no store has. In Node it does nothing.

export class UnloadGuard {
  readonly #waiting = new Set<string>();

  /** The listener is there only while it is needed: a page that has one may not be kept. */
  update(threadId: string, isWaiting: boolean): void {
    if (isWaiting) this.#waiting.add(threadId);
    else this.#waiting.delete(threadId);
    this.#listen();
  }

  end(): void {
    this.#waiting.clear();
    this.#listen();
  }

  /** A listener that is added again is the same one. */
  #listen(): void {
    const page = globalThis as Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
    page[this.#waiting.size > 0 ? "addEventListener" : "removeEventListener"]?.("beforeunload", ask);
  }
}

function ask(event: Event): void {
  event.preventDefault();
}
