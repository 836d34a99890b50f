// The store contract, for `$board` in a component and for what expects a Svelte store.

import type { Readable } from "@opstate/core";
import type { DispatchIn, StateIn } from "./agent-state.svelte.ts";

/**
 * A Svelte store that can be read and watched. State changes through `dispatch` only: it has no
 * `set`.
 */
export interface AgentStore<Source extends Readable<unknown>> {
  /**
   * Calls at once, then with each change. On a server it only calls at once: a page is rendered
   * from what is there, nothing connects.
   */
  readonly subscribe: (run: (state: StateIn<Source>) => void) => () => void;
  /** The source's own. Undefined when the source has none. */
  readonly dispatch: DispatchIn<Source>;
}

/**
 * A Svelte store over a replica, a thread or anything with their shape.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   const board = agentState(replica);
 * </script>
 *
 * <h1>{$board.title}</h1>
 * <button onclick={() => board.dispatch({ type: "rename", title: "Launch" })}>Rename</button>
 * ```
 */
export function agentState<Source extends Readable<unknown>>(source: Source): AgentStore<Source> {
  // TypeScript does not look into the conditional types of a parameter that is still open.
  const followed = source as unknown as Readable<StateIn<Source>> & { readonly dispatch: DispatchIn<Source> };
  return {
    dispatch: followed.dispatch,
    subscribe(run) {
      let told = followed.getState();
      const tell = (state: StateIn<Source>) => {
        if (!Object.is(state, told)) run((told = state));
      };
      run(told);
      // Svelte subscribes to `$board` while a server renders, too, and a subscription is what a
      // replica connects for.
      if (typeof window === "undefined") return () => undefined;
      const end = followed.subscribe(tell);
      // The first call may have changed it.
      tell(followed.getState());
      return end;
    },
  };
}
