// A slice of one of the page's stores, for templates and `$derived`. Call it once, at the top of a
// component.

import type { Readable } from "@opstate/core";
import { AgentState } from "@opstate/svelte";

export function follow<State, Slice>(
  store: Readable<State>,
  selector: (state: State) => Slice,
): { readonly current: Slice } {
  return new AgentState(store).select(selector);
}
