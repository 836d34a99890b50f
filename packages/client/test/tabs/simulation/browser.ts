// The browser of a simulated world: locks and channels of one origin, and each tab's timer.

import type { LockOptions, TabPorts } from "../../../src/tabs/ports.ts";
import type { Tasks } from "./tasks.ts";

interface Request extends LockOptions {
  readonly tab: string;
  isOver: boolean;
}

interface Lock {
  holder?: Request | undefined;
  readonly queue: Request[];
}

interface Listener {
  readonly tab: string;
  onMessage(message: unknown): void;
}

export class Browser {
  readonly #tasks: Tasks;
  readonly #locks = new Map<string, Lock>();
  readonly #channels = new Map<string, Set<Listener>>();
  /** By tab: what its timer calls. */
  readonly timers = new Map<string, () => void>();
  #ids = 0;

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  portsOf(tab: string): TabPorts {
    return {
      randomId: () => `${tab}/${(this.#ids += 1)}`,
      lock: (name, options) => this.#ask(tab, name, options),
      channel: (name, onMessage) => {
        const listener: Listener = { tab, onMessage };
        const listeners = this.#channels.get(name) ?? new Set<Listener>();
        this.#channels.set(name, listeners.add(listener));
        return {
          post: (message) => this.#post(listener, name, message),
          close: () => void listeners.delete(listener),
        };
      },
      timer: (_, call) => {
        this.timers.set(tab, call);
        return () => {
          if (this.timers.get(tab) === call) this.timers.delete(tab);
        };
      },
    };
  }

  /** The tab is gone, without a word: the browser takes back what it had. */
  kill(tab: string): void {
    this.timers.delete(tab);
    for (const listeners of this.#channels.values())
      for (const listener of listeners) if (listener.tab === tab) listeners.delete(listener);
    for (const lock of this.#locks.values()) {
      for (const request of [...lock.queue, ...(lock.holder ? [lock.holder] : [])])
        if (request.tab === tab) request.isOver = true;
      this.#pass(lock);
    }
  }

  #post(from: Listener, name: string, message: unknown): void {
    for (const listener of this.#channels.get(name) ?? []) {
      if (listener === from) continue;
      const copy = structuredClone(message);
      this.#tasks.add(listener.tab, `channel ${from.tab}`, () => {
        if (this.#channels.get(name)?.has(listener)) listener.onMessage(copy);
      });
    }
  }

  #ask(tab: string, name: string, options: LockOptions): () => void {
    const request: Request = { ...options, tab, isOver: false };
    const lock = this.#locks.get(name) ?? { queue: [] };
    this.#locks.set(name, lock);
    if (options.steal === true) {
      const robbed = lock.holder;
      lock.holder = undefined;
      lock.queue.unshift(request);
      if (robbed !== undefined && !robbed.isOver) this.#tell(robbed, () => robbed.onLost?.());
    } else lock.queue.push(request);
    this.#pass(lock);
    return () => {
      request.isOver = true;
      this.#pass(lock);
    };
  }

  #pass(lock: Lock): void {
    if (lock.holder?.isOver === true) lock.holder = undefined;
    while (lock.holder === undefined && lock.queue.length > 0) {
      const next = lock.queue.shift();
      if (next === undefined || next.isOver) continue;
      lock.holder = next;
      this.#tell(next, () => next.onGranted());
    }
  }

  #tell(request: Request, call: () => void): void {
    this.#tasks.add(request.tab, "locks", () => {
      if (!request.isOver) call();
    });
  }
}
