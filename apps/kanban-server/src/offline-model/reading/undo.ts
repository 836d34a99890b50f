// Reads requests to undo the last run.

import type { Reader } from "./clause.ts";

const DONE =
  "(?:(?:that|it|this|what (?:you|the agent) (?:just )?did)|(?:your|the|the agent's) last (?:run|changes?|edits?|steps?|actions?|request|thing))";
const UNDO_REQUEST = new RegExp(
  `^(?:undo|revert|roll ?back|(?:undo|revert|reverse|roll back|take back) (?:all of )?${DONE}|(?:take|roll) (?:all of )?${DONE}(?: all)? back)(?: again)?$`,
  "i",
);

export const undo: Reader = (text) => (UNDO_REQUEST.test(text) ? { kind: "undo" } : undefined);
