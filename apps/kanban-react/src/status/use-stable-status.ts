// The status of the connection, without retries.

import type { Sync } from "@opstate/core";
import { stableStatus } from "@opstate/kanban-page/connection/status-words.ts";
import { useState } from "react";
import { Board } from "../board-context.ts";

export function useStableStatus(): Sync["status"] {
  const status = Board.useSync((sync) => sync.status);
  const [before, setBefore] = useState(status);
  const stable = stableStatus(before, status);
  if (stable !== before) setBefore(stable);
  return stable;
}
