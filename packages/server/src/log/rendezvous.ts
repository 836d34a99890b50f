// Rendezvous hashing: each thread goes to the name with the highest weight. So when a name comes
// or goes, no threads move but its own.

import { createHash } from "node:crypto";

/** Compared as text. `name`: a node's address, or a log's name. */
export function weightOf(name: string, threadId: string): string {
  return createHash("sha256").update(`${name}\n${threadId}`).digest("hex");
}
