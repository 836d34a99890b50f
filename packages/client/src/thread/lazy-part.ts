// A part of a thread whose code is loaded when it is first used. The object that a page holds is
// there at once, and stays the same.

import { createSource, type Readable } from "@opstate/core/readable";

export interface LazyPart<T, Part extends Readable<T>> extends Readable<T> {
  /** The part, loaded. Rejects when its code cannot be loaded; the next call tries again. */
  part(): Promise<Part>;
}

/** `initial`: also what is shown, with the error, when the code cannot be loaded. */
export function lazyPart<T extends { readonly error?: unknown }, Part extends Readable<T>>(
  initial: T,
  load: () => Promise<Part>,
): LazyPart<T, Part> {
  const before = createSource(initial);
  let loading: Promise<Part> | undefined;
  let loaded: Part | undefined;

  async function loadNow(): Promise<Part> {
    try {
      loaded = await load();
      return loaded;
    } catch (error) {
      loading = undefined;
      before.set({ ...initial, ...("loading" in initial && { loading: false }), error })();
      throw error;
    }
  }

  function part(): Promise<Part> {
    loading ??= loadNow();
    return handled(loading);
  }

  return {
    part,
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
        if (!Object.is(found.getState(), shown)) listener(found.getState(), shown);
      };
      // What could not be loaded is in the state.
      part().then(move, () => undefined);
      return () => {
        end?.();
        end = undefined;
      };
    },
  };
}

/** The same promise. That nobody waits for it makes no unhandled rejection. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
