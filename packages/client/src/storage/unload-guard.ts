// Asks before a page is left while an edit waits that no store has. In Node it does nothing.

export class UnloadGuard {
  readonly #waiting = new Set<string>();
  #isListening = false;

  /** The listener is there only while it is needed: a page that has one may not be kept. */
  update(threadId: string, isWaiting: boolean): void {
    if (isWaiting) this.#waiting.add(threadId);
    else this.#waiting.delete(threadId);
    const target = globalThis as Partial<Pick<EventTarget, "addEventListener" | "removeEventListener">>;
    const isNeeded = this.#waiting.size > 0;
    if (isNeeded === this.#isListening || target.addEventListener === undefined) return;
    this.#isListening = isNeeded;
    if (isNeeded) target.addEventListener("beforeunload", ask);
    else target.removeEventListener?.("beforeunload", ask);
  }

  end(): void {
    for (const threadId of [...this.#waiting]) this.update(threadId, false);
  }
}

function ask(event: Event): void {
  event.preventDefault();
}
