// The intents of a thread as components read them, without the code that works them out: that comes
// with what feeds them. Until then there are none, and the view is the thread's own state.

import type { AnyDefinition } from "@opstate/core";
import { addTo, type Readable } from "@opstate/core/readable";
import type { IntentsState, IntentThread, ThreadIntents } from "./intent.ts";

export interface IntentsReader<D extends AnyDefinition = AnyDefinition>
  extends Readable<IntentsState<D>>, Pick<ThreadIntents<D>, "sync" | "forget"> {}

/** The reader of each thread, for as long as the thread exists. */
const kept = new WeakMap<object, Reader>();

/** The same object for the same thread. For bindings. */
export function intentsReader<D extends AnyDefinition>(thread: IntentThread<D>): IntentsReader<D> {
  // It is of this very thread, so the types are the same.
  return readerOf(thread) as IntentsReader as IntentsReader<D>;
}

/** The intents of a thread. Its readers read them from the moment when they are made. */
export function madeOnce(thread: IntentThread, make: () => ThreadIntents): ThreadIntents {
  return readerOf(thread).readFrom(make);
}

function readerOf(thread: IntentThread): Reader {
  const reader = kept.get(thread) ?? new Reader(thread);
  kept.set(thread, reader);
  return reader;
}

const without = (view: IntentsState["view"]): IntentsState => ({ view, intents: [], refused: [] });

class Reader implements IntentsReader {
  readonly #thread: IntentThread;
  readonly #whenMade = new Set<() => void>();
  #intents: ThreadIntents | undefined;
  #none: IntentsState;

  constructor(thread: IntentThread) {
    this.#thread = thread;
    this.#none = without(thread.getState());
  }

  get sync(): IntentsReader["sync"] {
    return this.#thread.sync;
  }

  readonly getState = (): IntentsState => {
    if (this.#intents) return this.#intents.getState();
    const view: IntentsState["view"] = this.#thread.getState();
    if (view !== this.#none.view) this.#none = without(view);
    return this.#none;
  };

  readonly getInitialState = (): IntentsState => without(this.#thread.getInitialState());

  readonly subscribe = (listener: (state: IntentsState, previous: IntentsState) => void): (() => void) => {
    const follow = () =>
      this.#intents?.subscribe(listener) ??
      this.#thread.subscribe((_, previous) => listener(this.getState(), without(previous)));
    let end = follow();
    const forgetMade = addTo(this.#whenMade, () => {
      end();
      end = follow();
    });
    return () => {
      forgetMade();
      end();
    };
  };

  readonly forget = (id: string): void => this.#intents?.forget(id);

  readFrom(make: () => ThreadIntents): ThreadIntents {
    if (this.#intents) return this.#intents;
    this.#intents = make();
    for (const follow of [...this.#whenMade]) follow();
    return this.#intents;
  }
}
