// At most one notification per frame: the first change is notified at once, further changes of the
// same frame together in the next one.
//
//   thread ─┬─ state ─┐                ┌─ state ─> components
//           └─ sync ──┴─> one clock ──>┴─ sync ──> components
//
// React renders once per task, and messages arrive in tasks of their own, more often than a screen
// refreshes.
//
// Invariants:
// - There is one clock per source, so that all components see the same state, and a sync of the
//   same moment. Otherwise a child could render an item that its parent no longer has.
// - An own edit is notified at once: a controlled input would lose its caret. It needs no frame.

import type { Readable } from "@opstate/core";

/** The part of a sync that changes with each own edit. */
interface Pending {
  readonly pending: unknown;
}

/** A source; a thread has `sync` too. */
export type PacedSource<State> = Readable<State> & { readonly sync?: Readable<Pending> };

/** The clock of each source, for as long as the source exists. */
const clocks = new WeakMap<object, Clock>();

/** Milliseconds per frame of a hidden page, which has no animation frames. */
const HIDDEN_FRAME_MS = 100;

/**
 * Returns the paced source: the same one for the same source. Where there are no animation frames,
 * as on a server, it is the source itself.
 */
export function perFrame<State>(source: PacedSource<State>): Readable<State> {
  if (typeof requestAnimationFrame !== "function") return source;
  // The clock has a paced source of this very source, so the type is the same.
  return clockOf(source).state as Readable<State>;
}

/** The sync of a source, at the pace of its state. */
export function syncPerFrame<Sync extends Pending>(source: { readonly sync: Readable<Sync> }): Readable<Sync> {
  if (typeof requestAnimationFrame !== "function") return source.sync;
  const paced =
    "getState" in source ? clockOf(source as unknown as PacedSource<unknown>).sync : clockOf(source.sync).state;
  return paced as Readable<Sync>;
}

function clockOf(source: PacedSource<unknown>): Clock {
  const clock = clocks.get(source) ?? new Clock(source);
  clocks.set(source, clock);
  return clock;
}

type Listener = (state: unknown, previous: unknown) => void;

/** One value as the components see it. */
class Shown {
  readonly source: Readable<unknown>;
  readonly listeners = new Set<Listener>();
  value: unknown;
  previous: unknown;

  constructor(source: Readable<unknown>) {
    this.source = source;
  }

  read(): void {
    this.previous = this.value;
    this.value = this.source.getState();
  }

  notify(): void {
    const { value, previous } = this;
    if (Object.is(value, previous)) return;
    for (const listener of [...this.listeners]) listener(value, previous);
  }
}

class Clock {
  readonly state: Readable<unknown>;
  readonly sync: Readable<unknown>;
  readonly #shown: readonly Shown[];
  readonly #queue: Readable<Pending> | undefined;
  #pending: unknown;
  #hasChanged = false;
  #cancelFrame: (() => void) | undefined;
  #unsubscribes: (() => void)[] | undefined;

  constructor(source: PacedSource<unknown>) {
    const state = new Shown(source);
    const sync = source.sync && new Shown(source.sync);
    this.#shown = sync === undefined ? [state] : [state, sync];
    this.#queue = source.sync;
    this.state = this.#paced(state);
    this.sync = sync === undefined ? this.state : this.#paced(sync);
  }

  #paced(shown: Shown): Readable<unknown> {
    return {
      getState: () => (this.#unsubscribes === undefined ? shown.source.getState() : shown.value),
      getInitialState: () => shown.source.getInitialState(),
      subscribe: (listener) => {
        // Those of React: each subscription has a function of its own.
        shown.listeners.add(listener);
        this.#start();
        return () => {
          if (shown.listeners.delete(listener)) this.#stopIfUnused();
        };
      },
    };
  }

  #start(): void {
    if (this.#unsubscribes !== undefined) return;
    this.#read();
    this.#unsubscribes = this.#shown.map(({ source }) => source.subscribe(() => this.#onChange()));
    // The source may change while it is subscribed to.
    this.#read();
  }

  #stopIfUnused(): void {
    if (this.#shown.some(({ listeners }) => listeners.size > 0)) return;
    for (const unsubscribe of this.#unsubscribes ?? []) unsubscribe();
    this.#cancelFrame?.();
    [this.#unsubscribes, this.#cancelFrame] = [undefined, undefined];
  }

  #read(): void {
    this.#hasChanged = false;
    this.#pending = this.#queue?.getState().pending;
    for (const shown of this.#shown) shown.read();
  }

  #onChange(): void {
    // State and sync change together: the first of the two showed both.
    if (this.#shown.every(({ source, value }) => Object.is(source.getState(), value))) return;
    if (this.#queue?.getState().pending !== this.#pending) this.#show();
    else if (this.#cancelFrame === undefined) this.#beginFrame();
    else this.#hasChanged = true;
  }

  /** Shows what changed. What changes until the next frame waits for it. */
  #beginFrame(): void {
    this.#cancelFrame = inNextFrame(() => {
      this.#cancelFrame = undefined;
      if (this.#hasChanged) this.#beginFrame();
    });
    this.#show();
  }

  #show(): void {
    this.#read();
    for (const shown of this.#shown) shown.notify();
  }
}

function inNextFrame(run: () => void): () => void {
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const once = () => {
    cancel();
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, HIDDEN_FRAME_MS);
  return cancel;
}
