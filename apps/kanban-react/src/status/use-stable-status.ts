// The status of the connection, without retries.

import type { Replica, Sync } from "@opstate/core";
import { stableStatus } from "@opstate/kanban-page/connection/status-words.ts";
import { useSync } from "@opstate/react";
import { useState } from "react";

export function useStableStatus(replica: Pick<Replica, "sync">): Sync["status"] {
  const status = useSync(replica, (sync) => sync.status);
  const [before, setBefore] = useState(status);
  const stable = stableStatus(before, status);
  if (stable !== before) setBefore(stable);
  return stable;
}
