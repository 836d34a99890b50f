// Completion of the `threadId` of prompts and of addresses, from the threads that the sender may
// read. Other arguments have nothing to choose from.

import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import type { McpCaller } from "./call/caller.ts";

/** The most that the protocol lets an answer have. */
const LIMIT = 100;

export async function complete(
  { argument }: CompleteRequest["params"],
  caller: McpCaller,
): Promise<CompleteResult["completion"]> {
  if (argument.name !== "threadId") return { values: [], total: 0, hasMore: false };
  const found = (await caller.threads()).flatMap(({ threadId }) =>
    threadId.startsWith(argument.value) ? [threadId] : [],
  );
  return { values: found.slice(0, LIMIT), total: found.length, hasMore: found.length > LIMIT };
}
