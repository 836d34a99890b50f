// The history in a component: newest first, live, with older entries by pages.

import type { ThreadHistory } from "@opstate/client";
import { type AnyOperation, defined } from "@opstate/core";
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
 * Returns the history of a thread, of a client's `thread.history`, or of `{ ...replica,
 * ...threadClient(options) }`, as `{ entries, hasOlder, loading, error?, older }`. Pass the same
 * object on each render. To share one feed between components, pass `thread.history`, or a feed
 * made by `createHistoryFeed`.
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
    () => feedOf(source, defined({ pageSize, rejections, limit })),
    source,
    pageSize,
    rejections,
    limit,
  );
  const state = useAgentState(feed);
  return useMemo(() => ({ ...state, older: feed.older }), [state, feed]);
}

function feedOf<Operation>(
  source: HistorySource<Operation> | HistoryFeed<Operation> | SharedHistory<Operation>,
  options: Omit<HistoryFeedOptions, "onError">,
): HistoryFeed<Operation> {
  if ("with" in source) return source.with(options);
  return "older" in source ? source : createHistoryFeed(source, options);
}

/** The part of a client's history that gives it with options: the same feed for the same ones. */
type SharedHistory<Operation> = HistoryFeed<Operation> & {
  with(options: Parameters<ThreadHistory["with"]>[0]): HistoryFeed<Operation>;
};
