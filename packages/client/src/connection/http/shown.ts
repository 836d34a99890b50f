// What the tabs of a connection show of themselves, on one stream.

import type { PresenceValue } from "../../carrier.ts";

interface ShownValue {
  readonly tab: string | undefined;
  readonly threadId: string;
  readonly value: PresenceValue | null;
}

export class Shown {
  readonly #post: (body: string) => Promise<unknown>;
  readonly #stream: string | undefined;
  readonly #shown = new Set<string>();
  #toSend: readonly ShownValue[] = [];
  #isSending = false;

  /** Without a stream nothing is shown. */
  constructor(post: (body: string) => Promise<unknown>, stream: string | undefined) {
    this.#post = post;
    this.#stream = stream;
  }

  show(threadId: string, value: PresenceValue | undefined, tab: string | undefined): void {
    const shown = `${tab ?? ""}/${threadId}`;
    if (value === undefined) this.#shown.delete(shown);
    else this.#shown.add(shown);
    this.#toSend = this.#toSend.filter((each) => each.threadId !== threadId || each.tab !== tab);
    this.#toSend = [...this.#toSend, { tab, threadId, value: value ?? null }];
    void this.#send();
  }

  /** The thread is left. */
  forget(threadId: string): void {
    for (const shown of this.#shown) if (shown.endsWith(`/${threadId}`)) this.#shown.delete(shown);
    this.#toSend = this.#toSend.filter((each) => each.threadId !== threadId);
  }

  /** A server hides what a silent reader shows. */
  answer(): void {
    if (this.#shown.size > 0) void this.#send(true);
  }

  /** What is shown may be lost with its connection, so a failure is not reported. */
  async #send(isAnswer = false): Promise<void> {
    const stream = this.#stream;
    if (stream === undefined || this.#isSending || (this.#toSend.length === 0 && !isAnswer)) return;
    this.#isSending = true;
    // One request is one tab's.
    const tab = this.#toSend[0]?.tab;
    const isItsOwn = (each: ShownValue) => each.tab === tab;
    const threads = Object.fromEntries(this.#toSend.filter(isItsOwn).map((each) => [each.threadId, each.value]));
    this.#toSend = this.#toSend.filter((each) => !isItsOwn(each));
    await this.#post(JSON.stringify({ stream, tab, threads })).catch(() => undefined);
    this.#isSending = false;
    if (this.#toSend.length > 0) void this.#send();
  }
}
