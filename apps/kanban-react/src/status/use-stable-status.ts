// The status of the connection, without the tries in between.

import type { Replica, Sync } from "@opstate/core";
import { settledStatus } from "@opstate/kanban-page/connection/status-words.ts";
import { useSync } from "@opstate/react";
import { useState } from "react";

export function useSettledStatus(replica: Pick<Replica, "sync">): Sync["status"] {
  const status = useSync(replica, (sync) => sync.status);
  const [before, setBefore] = useState(status);
  const settled = settledStatus(before, status);
  if (settled !== before) setBefore(settled);
  return settled;
}
