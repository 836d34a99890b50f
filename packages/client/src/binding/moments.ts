// A source as components see it: its state and its sync of one moment, at most once for each frame.
// The first change is shown at once, further changes of the same frame together in the next one.
//
//   thread ─┬─ state ─┐
//           └─ sync ──┴─> clock ──> { state, sync } ──> components
//
// A framework renders once per task or microtask, and messages arrive in tasks of their own, more
// often than a screen refreshes.
//
// Invariants:
// - There is one clock per source, so that all components see the same moment. Otherwise a child
//   could render an item that its parent no longer has.
// - An own edit is shown at once: a controlled input would lose its caret. It needs no frame.
// - Who follows one part is not called for a change of the other: a thousand components that read
//   the state have nothing to do when an edit was sent.

import type { Readable } from "@opstate/core/readable";
import { inNextFrame } from "./next-frame.ts";

/** A source of components. A client's thread and a replica have a `sync` too. */
export type MomentSource<State, Sync = unknown> = Readable<State> & { readonly sync?: Readable<Sync> };

/** `sync`: undefined when the source has none. */
export interface Moment<State, Sync = unknown> {
  readonly state: State;
  readonly sync: Sync;
}

type Part = keyof Moment<unknown>;

export interface Moments<State, Sync = unknown> extends Readable<Moment<State, Sync>> {
  /** What the source has now, also in the middle of a frame: for event handlers. */
  now(): Moment<State, Sync>;
  /**
   * The same moments, notified when this part of them has changed. The same object for each part.
   */
  readonly changesOf: Readonly<Record<Part, Pick<Readable<Moment<State, Sync>>, "subscribe">>>;
}

/** The moments of each source, for as long as the source exists. */
const kept = new WeakMap<object, Clock>();

/**
 * The moments of a source: the same object for the same source. Where there are no animation
 * frames, as on a server, each change is shown at once. For bindings.
 */
export function momentsOf<State, Sync>(source: MomentSource<State, Sync>): Moments<State, Sync> {
  const moments = kept.get(source) ?? new Clock(source);
  kept.set(source, moments);
  // The clock is of this very source, so the types are the same.
  return moments as Moments<unknown> as Moments<State, Sync>;
}

type Listener = (moment: Moment<unknown>, previous: Moment<unknown>) => void;

class Clock implements Moments<unknown> {
  readonly #source: MomentSource<unknown>;
  readonly #listeners = new Set<{ readonly call: Listener; readonly part: Part | undefined }>();
  /** Who is called when that part alone has changed, or both have: made once for many changes. */
  #called: { [part in Part | "both"]?: readonly Listener[] } = {};
  /** What is shown, while there are listeners. */
  #shown: Moment<unknown> | undefined;
  #hasChanged = false;
  #cancelFrame: (() => void) | undefined;
  #unsubscribes: readonly (() => void)[] = [];

  constructor(source: MomentSource<unknown>) {
    this.#source = source;
  }

  readonly now = (): Moment<unknown> => ({ state: this.#source.getState(), sync: this.#source.sync?.getState() });

  readonly getState = (): Moment<unknown> => this.#shown ?? this.now();

  readonly getInitialState = (): Moment<unknown> => ({
    state: this.#source.getInitialState(),
    sync: this.#source.sync?.getInitialState(),
  });

  readonly subscribe = (call: Listener): (() => void) => this.#add(call, undefined);

  readonly changesOf: Moments<unknown>["changesOf"] = {
    state: { subscribe: (call) => this.#add(call, "state") },
    sync: { subscribe: (call) => this.#add(call, "sync") },
  };

  #add(call: Listener, part: Part | undefined): () => void {
    const entry = { call, part };
    this.#listeners.add(entry);
    this.#called = {};
    if (this.#shown === undefined) this.#start();
    return () => {
      this.#called = {};
      if (this.#listeners.delete(entry) && this.#listeners.size === 0) this.#stop();
    };
  }

  #start(): void {
    this.#shown = this.now();
    const onChange = () => this.#onChange();
    this.#unsubscribes = [this.#source, this.#source.sync].flatMap((each) => each?.subscribe(onChange) ?? []);
    // The source may change while it is subscribed to.
    this.#shown = this.now();
    this.#hasChanged = false;
  }

  #stop(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    this.#cancelFrame?.();
    [this.#shown, this.#cancelFrame, this.#unsubscribes] = [undefined, undefined, []];
  }

  #onChange(): void {
    const [now, shown] = [this.now(), this.getState()];
    // State and sync change together: the first of the two notifications showed both.
    if (Object.is(now.state, shown.state) && Object.is(now.sync, shown.sync)) return;
    const isOwn = pendingOf(now) !== pendingOf(shown);
    if (!isOwn && this.#cancelFrame !== undefined) {
      this.#hasChanged = true;
      return;
    }
    if (!isOwn) this.#beginFrame();
    this.#hasChanged = false;
    this.#shown = now;
    const changed = Object.is(now.state, shown.state) ? "sync" : Object.is(now.sync, shown.sync) ? "state" : "both";
    const called = (this.#called[changed] ??= [...this.#listeners].flatMap(({ call, part = changed }) =>
      part === changed || changed === "both" ? call : [],
    ));
    callAll(called, now, shown);
  }

  /** What changes until the next frame waits for it. */
  #beginFrame(): void {
    this.#cancelFrame = inNextFrame(() => {
      this.#cancelFrame = undefined;
      if (this.#hasChanged) this.#onChange();
    });
  }
}

/** A function of its own: as a part of a longer one, its loop is compiled late. */
function callAll(called: readonly Listener[], now: Moment<unknown>, shown: Moment<unknown>): void {
  for (const call of called) call(now, shown);
}

/** The part of a sync that changes with each own edit. */
function pendingOf({ sync }: Moment<unknown>): unknown {
  return (sync as { readonly pending?: unknown } | undefined)?.pending;
}
