// The connection as a person wants to know it: while it tries again and again, it is offline; "connecting" is only the first time.

import type { Replica, Sync } from "@opstate/core";
import { useSync } from "@opstate/react";
import { useState } from "react";

export function useSettledStatus(replica: Pick<Replica, "sync">): Sync["status"] {
  const status = useSync(replica, (sync) => sync.status);
  const [settled, setSettled] = useState(status);
  if (status !== "connecting" && status !== settled) setSettled(status);
  return status === "connecting" ? settled : status;
}
