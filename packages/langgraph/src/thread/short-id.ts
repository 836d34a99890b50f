// Ids from outside as parts of a thread's. Theirs may be long or no well-formed text, a thread's
// may not: a hash stands for such a one.

import { createHash } from "node:crypto";
import { isId, isWellFormed } from "@opstate/core/thread";

/** Two parts and what joins them stay below the 200 characters that a thread takes for an id. */
const PART_CHARACTERS = 90;

/**
 * The id itself, or a hash where a thread would not take it. The same id always gives the same,
 * another one another.
 */
export function shortId(id: string): string {
  if (isId(id) && id.length <= PART_CHARACTERS) return id;
  // In UTF-8 all halves of surrogate pairs are the same.
  return createHash("sha256")
    .update(id, isWellFormed(id) ? "utf8" : "utf16le")
    .digest("hex")
    .slice(0, 40);
}
