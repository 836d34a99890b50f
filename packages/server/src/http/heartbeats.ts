// The heartbeats of all open streams.
//
// Invariant: the timer runs only while a stream is open.

const HEARTBEAT_INTERVAL = 15_000;

/**
 * An interval is divided into this many turns, and each listener has its heartbeat in one of them.
 * So the work of all listeners is spread over the interval.
 */
const HEARTBEAT_TURNS = 15;

export class Heartbeats {
  /** The turn of each listener. */
  readonly #turns = new Map<() => void, number>();
  #turn = 0;
  #added = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Returns the function that removes the listener. */
  add(onHeartbeat: () => void): () => void {
    // An object of its own for each call, whichever function is given.
    const listener = () => onHeartbeat();
    this.#added += 1;
    this.#turns.set(listener, this.#added % HEARTBEAT_TURNS);
    this.#timer ??= setInterval(() => this.#nextTurn(), HEARTBEAT_INTERVAL / HEARTBEAT_TURNS);
    return () => this.#remove(listener);
  }

  #nextTurn(): void {
    this.#turn = (this.#turn + 1) % HEARTBEAT_TURNS;
    for (const [listener, turn] of [...this.#turns]) if (turn === this.#turn) listener();
  }

  #remove(listener: () => void): void {
    this.#turns.delete(listener);
    if (this.#turns.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
