// Whether a source is the thread of a client, which has all of its parts as objects.

import type { ClientThread } from "@opstate/client";

export function isClientThread(source: unknown): source is ClientThread {
  return typeof source === "object" && source !== null && "presence" in source && "branches" in source;
}
