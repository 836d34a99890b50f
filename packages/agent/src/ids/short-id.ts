// Ids from outside as parts of a thread's ids. Theirs may be long, or no well-formed text; a
// thread's may not. Such an id is replaced by its hash.

import { createHash } from "node:crypto";
import { isId, isWellFormed } from "@opstate/core/thread";

/** Two parts with a separator stay below the 200 characters that a thread's id may have. */
const MAX_PART_CHARACTERS = 90;

/** The id itself, or its hash where a thread would refuse it. Different ids stay different. */
export function shortId(id: string): string {
  if (isId(id) && id.length <= MAX_PART_CHARACTERS) return id;
  // UTF-8 would encode every lone surrogate in the same way.
  return createHash("sha256")
    .update(id, isWellFormed(id) ? "utf8" : "utf16le")
    .digest("hex")
    .slice(0, 40);
}
