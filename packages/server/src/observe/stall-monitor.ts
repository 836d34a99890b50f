// Notices when the event loop was held up: a timer that comes late.
//
// Invariant: its timer keeps no process alive.

/** Milliseconds between two looks. */
const INTERVAL = 100;
/** Milliseconds of lateness that are a stall. */
const STALL = 50;

export interface StallMonitorOptions {
  readonly onStall: (duration: number) => void;
  /** Milliseconds; default performance.now. */
  readonly now?: () => number;
  /** Calls back every so many milliseconds, and returns what ends it; default setInterval. */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
}

export class StallMonitor {
  readonly #options: Required<StallMonitorOptions>;
  #stop: (() => void) | undefined;

  constructor({ onStall, now = () => performance.now(), every = everyInterval }: StallMonitorOptions) {
    this.#options = { onStall, now, every };
  }

  start(): void {
    const { onStall, now, every } = this.#options;
    let last = now();
    this.#stop ??= every(INTERVAL, () => {
      const late = now() - last - INTERVAL;
      last = now();
      if (late >= STALL) onStall(late);
    });
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}

function everyInterval(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
