// A source as a Svelte store, for `$board` in a component and for code that expects a store.

import type { Readable } from "@opstate/core";
import type { DispatchIn, StateIn } from "./agent-state.ts";

/**
 * A readable Svelte store. State changes through `dispatch` only, so it has no `set`.
 */
export interface AgentStore<Source extends Readable<unknown>> {
  /**
   * Calls `run` at once, then with each change. On a server it calls once and subscribes to
   * nothing.
   */
  readonly subscribe: (run: (state: StateIn<Source>) => void) => () => void;
  /** The source's `dispatch`. Undefined when the source has none. */
  readonly dispatch: DispatchIn<Source>;
}

/**
 * Creates a Svelte store over a thread, or any source with its shape.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const board = agentState(thread);
 * </script>
 *
 * <h1>{$board.title}</h1>
 * <button onclick={() => board.dispatch({ type: "rename", title: "Launch" })}>Rename</button>
 * ```
 */
export function agentState<Source extends Readable<unknown>>(source: Source): AgentStore<Source> {
  // TypeScript does not resolve conditional types of a type parameter.
  const typedSource = source as unknown as Readable<StateIn<Source>> & { readonly dispatch: DispatchIn<Source> };
  return {
    dispatch: typedSource.dispatch,
    subscribe(run) {
      let shown = typedSource.getState();
      const show = (state: StateIn<Source>) => {
        if (!Object.is(state, shown)) run((shown = state));
      };
      run(shown);
      // Svelte subscribes to `$board` on a server too, and a subscription would connect a thread.
      if (typeof window === "undefined") return () => undefined;
      const unsubscribe = typedSource.subscribe(show);
      // The first call of `run` may have changed the state.
      show(typedSource.getState());
      return unsubscribe;
    },
  };
}
