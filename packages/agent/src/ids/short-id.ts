// Ids from outside as parts of a thread's ids. Theirs may be long, or no well-formed text; a
// thread's may not. Such an id is replaced by its hash.

import { isId, isWellFormed, sha256Hex } from "@opstate/core/thread";

/** Two parts with a separator stay below `ID_LIMIT` of `@opstate/core/thread`. */
const MAX_PART_CHARACTERS = 90;

/** The id itself, or its hash where a thread would refuse it. Different ids stay different. */
export function shortId(id: string): string {
  if (isId(id) && id.length <= MAX_PART_CHARACTERS) return id;
  // UTF-8 would encode every lone surrogate in the same way.
  const bytes = isWellFormed(id) ? new TextEncoder().encode(id) : codeUnits(id);
  return sha256Hex(bytes).slice(0, 40);
}

/** UTF-16, the low byte of each unit first. */
function codeUnits(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let i = 0; i < text.length; i++) {
    bytes[2 * i] = text.charCodeAt(i) & 0xff;
    bytes[2 * i + 1] = text.charCodeAt(i) >> 8;
  }
  return bytes;
}
