// A part of a thread whose code is loaded when it is first used. The object that a page holds is
// there at once, and stays the same.

import { createSource, type Readable } from "@opstate/core/readable";
import { once } from "../once.ts";

export interface LazyPart<T, Part extends Readable<T>> {
  /** That of the part, or `initial` until it is loaded. */
  readonly state: Readable<T>;
  /**
   * Loads the part, then calls it. Rejects when its code cannot be loaded; the next call tries
   * again.
   */
  soon<R>(run: (part: Part) => Promise<R>): Promise<R>;
  /** The same for what never rejects: why the code could not be loaded is in the state. */
  quietly(run: (part: Part) => Promise<void>): Promise<void>;
}

/** `initial`: also what is shown, with the error, when the code cannot be loaded. */
export function lazyPart<T extends { readonly error?: unknown }, Part extends Readable<T>>(
  initial: T,
  load: () => Promise<Part>,
): LazyPart<T, Part> {
  const before = createSource(initial);
  let loaded: Part | undefined;
  const loadOnce = once(async () => {
    try {
      return (loaded = await load());
    } catch (error) {
      before.set({ ...initial, ...("loading" in initial && { loading: false }), error })();
      throw error;
    }
  });

  // What could not be loaded is in the state.
  const quietly = (run: (part: Part) => Promise<void> | void): Promise<void> => loadOnce().then(run, () => undefined);

  const state: Readable<T> = {
    getState: () => (loaded ?? before).getState(),
    getInitialState: before.getInitialState,
    subscribe(listener) {
      if (loaded !== undefined) return loaded.subscribe(listener);
      let end: (() => void) | undefined = before.subscribe(listener);
      const move = (found: Part): void => {
        if (end === undefined) return;
        end();
        const shown = before.getState();
        end = found.subscribe(listener);
        if (found.getState() !== shown) listener(found.getState(), shown);
      };
      void quietly(move);
      return () => {
        end?.();
        end = undefined;
      };
    },
  };

  return {
    state,
    soon: (run) => handled(loadOnce().then(run)),
    quietly,
  };
}

/** The same promise. Where it is not awaited, its rejection is no unhandled one. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
