// The head line of a thread, from its row.

import type { ThreadInfo } from "@opstate/core/log";
import { type Row, threadInfoOf } from "../log/rows.ts";
import { unescapeId } from "./stored-id.ts";

export function infoOf(row: Row): ThreadInfo {
  return threadInfoOf(row, unescapeId(row["thread_id"]));
}
