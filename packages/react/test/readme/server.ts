// Replaces `@opstate/client` in the README's example: a client of a thread in this process.

import { createClient as createClientOf } from "@opstate/client";
import { memoryLog, openThread } from "@opstate/core";
import { ada, shelf } from "../support/shelf.ts";

export const served = await openThread({ definition: shelf, log: memoryLog(), threadId: "demo" });

export function createClient(_options: { readonly url: string }) {
  return createClientOf({ threads: [served], actor: ada });
}
