// The status of the connection, without retries.

import type { Sync } from "@opstate/core";
import { stableStatus } from "@opstate/kanban-page/connection/status-words.ts";
import { boardContext } from "../board-context.ts";

export function followStableStatus(): { readonly current: Sync["status"] } {
  const board = boardContext.get();
  let before = board.sync.status;
  const stable = $derived((before = stableStatus(before, board.sync.status)));
  return {
    get current() {
      return stable;
    },
  };
}
