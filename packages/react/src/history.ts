// The history in a component: newest first, live, with older entries by pages.

import type { ClientThread, HistoryOptions, HistoryState } from "@opstate/client";
import type { AcceptedOperationOf, AnyDefinition } from "@opstate/core";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";

export type History<D extends AnyDefinition = AnyDefinition> = HistoryState<AcceptedOperationOf<D>> &
  Pick<ClientThread<D>["history"], "older">;

/**
 * Returns the history of a thread, `{ entries, hasOlder, loading, error?, older }`. Components with
 * the same options share it.
 *
 * @example
 * ```tsx
 * const { entries, hasOlder, older } = useHistory(thread, { pageSize: 20 });
 * ```
 */
export function useHistory<D extends AnyDefinition>(
  { history }: Pick<ClientThread<D>, "history">,
  options: HistoryOptions = {},
): History<D> {
  const feed = history.with(options);
  const state = useAgentState(feed);
  return useMemo(() => ({ ...state, older: feed.older }), [state, feed]);
}
