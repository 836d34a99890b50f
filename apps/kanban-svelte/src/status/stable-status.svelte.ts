// The status of the connection, without retries.

import type { Replica, Sync } from "@opstate/core";
import { stableStatus } from "@opstate/kanban-page/connection/status-words.ts";
import { follow } from "../follow.ts";

export function followStableStatus(replica: Pick<Replica, "sync">): { readonly current: Sync["status"] } {
  const status = follow(replica.sync, (sync) => sync.status);
  let before = status.current;
  const stable = $derived((before = stableStatus(before, status.current)));
  return {
    get current() {
      return stable;
    },
  };
}
