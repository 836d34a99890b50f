// The log in a component: newest first, live, further back page by page.

import type { AnyOperation } from "@opstate/core";
import {
  createHistoryFeed,
  type HistoryFeed,
  type HistoryFeedOptions,
  type HistorySource,
  type HistoryState,
} from "@opstate/core/feeds";
import { useMemo } from "react";
import { useAgentState } from "./agent-state.ts";
import { useStable } from "./stable.ts";

export type History<Operation = AnyOperation> = HistoryState<Operation> & Pick<HistoryFeed<Operation>, "older">;

/**
 * The history of a source, `{ entries, hasOlder, loading, error?, older }`: of a thread, or of `{
 * ...replica, ...threadClient(options) }`. Hand it the same object on each render. Components that
 * shall share one hand it a feed, made by `createHistoryFeed`.
 *
 * @example
 * ```tsx
 * const { entries, hasOlder, older } = useHistory(thread, { pageSize: 20 });
 * ```
 */
export function useHistory<Operation>(
  source: HistorySource<Operation> | HistoryFeed<Operation>,
  { pageSize, rejections, limit }: Omit<HistoryFeedOptions, "onError"> = {},
): History<Operation> {
  const feed = useStable(
    () =>
      "older" in source
        ? source
        : createHistoryFeed(source, {
            ...(pageSize !== undefined && { pageSize }),
            ...(rejections !== undefined && { rejections }),
            ...(limit !== undefined && { limit }),
          }),
    source,
    pageSize,
    rejections,
    limit,
  );
  const state = useAgentState(feed);
  return useMemo(() => ({ ...state, older: feed.older }), [state, feed]);
}
