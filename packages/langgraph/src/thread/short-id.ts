// Ids from outside as parts of a thread's. Theirs have no bound, a thread's have: a long one is stood for by its hash.

import { createHash } from "node:crypto";

/** Two parts and what joins them stay below the 200 characters that a thread takes for an id. */
const PART_CHARACTERS = 90;

/** The id itself, or the hash of a long one. The same id always gives the same. */
export function shortId(id: string): string {
  return id.length <= PART_CHARACTERS ? id : createHash("sha256").update(id).digest("hex").slice(0, 40);
}
