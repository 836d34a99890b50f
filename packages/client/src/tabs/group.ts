// One tab in one group: its channel, its locks and its timer, all of which end when it leaves.
//
// Invariants:
// - Messages of one tab are handled in the order in which it posted them, each once. A repeated one
//   is dropped, and a lost one is reported.
// - Every tab holds a lock of its own while it is there: a tab that gets it knows that the tab
//   ended.

import type { ElectionEvent } from "./election.ts";
import type { Envelope, TabMessage } from "./messages.ts";
import type { TabChannel, TabPorts } from "./ports.ts";

export interface GroupListener {
  onEvent(event: ElectionEvent): void;
  onMessage(from: string, message: TabMessage): void;
  onGap(from: string): void;
  /** Of what the tab posts, in any group: 1, 2, 3. */
  nextNumber(): number;
}

export class Group {
  readonly #ports: TabPorts;
  readonly #name: string;
  readonly #tab: string;
  readonly #listener: GroupListener;
  readonly #channel: TabChannel;
  /** The number of the last message of each tab. */
  readonly #lastNumbers = new Map<string, number>();
  readonly #watched = new Map<string, () => void>();
  #isLeft = false;
  #releaseOwn = (): void => undefined;
  #releaseLock = (): void => undefined;
  #stopTimer = (): void => undefined;

  constructor(ports: TabPorts, name: string, tab: string, listener: GroupListener) {
    this.#ports = ports;
    this.#name = name;
    this.#tab = tab;
    this.#listener = listener;
    this.#channel = ports.channel(name, (envelope) => this.#receive(envelope as Envelope));
  }

  enter(): void {
    this.#releaseOwn = this.#ports.lock(this.#lockOf(this.#tab), {
      // A tab that watched this one in the group before, and is frozen now, may still have it.
      steal: true,
      onGranted: () => this.#emit({ type: "entered" }),
      onFailed: () => this.#emit({ type: "unable" }),
    });
  }

  leave(): void {
    this.#isLeft = true;
    this.#channel.close();
    this.#stopTimer();
    this.#releaseLock();
    for (const stop of this.#watched.values()) stop();
    this.#releaseOwn();
  }

  /** Requests the lock of the group, or takes it from its holder. */
  lock(steal: boolean): void {
    this.#releaseLock();
    this.#releaseLock = this.#ports.lock(this.#name, {
      steal,
      onGranted: () => this.#emit({ type: "granted" }),
      onLost: () => this.#emit({ type: "lost" }),
    });
  }

  watch(tab: string): void {
    if (this.#watched.has(tab)) return;
    const stop = this.#ports.lock(this.#lockOf(tab), {
      onGranted: () => {
        this.#watched.get(tab)?.();
        this.#watched.delete(tab);
        this.#lastNumbers.delete(tab);
        this.#emit({ type: "gone", tab });
      },
    });
    this.#watched.set(tab, stop);
  }

  timer(milliseconds: number): void {
    this.#stopTimer();
    this.#stopTimer = this.#ports.timer(milliseconds, () => this.#emit({ type: "timer" }));
  }

  post(message: TabMessage): void {
    const envelope: Envelope = { from: this.#tab, n: this.#listener.nextNumber(), message };
    if (!this.#isLeft) this.#channel.post(envelope);
  }

  #receive({ from, n, message }: Envelope): void {
    if (this.#isLeft) return;
    const last = this.#lastNumbers.get(from);
    if (last !== undefined && n <= last) return;
    this.#lastNumbers.set(from, n);
    if (last !== undefined && n > last + 1) this.#listener.onGap(from);
    this.#listener.onMessage(from, message);
  }

  #emit(event: ElectionEvent): void {
    if (!this.#isLeft) this.#listener.onEvent(event);
  }

  #lockOf(tab: string): string {
    return `${this.#name} ${tab}`;
  }
}
