// What a program asks of a thread over HTTP: what a page does (page-access.ts), and what its
// administration needs. One call is one request.

import type { Actor, AnyDefinition } from "@opstate/core";
import type { CompactRange } from "@opstate/core/log";
import type { Redacted } from "@opstate/core/thread";
import { callsOver } from "./calls.ts";
import { type PageAccess, pageAccess } from "./page-access.ts";
import { pathPart } from "./path-part.ts";
import type { Requester } from "./request.ts";

/** The calls of one thread, and those of its administration. */
export interface HttpAccess<D extends AnyDefinition = AnyDefinition> extends PageAccess<D> {
  /** Deletes the older history and resolves to the new floor. Needs the right "admin". */
  compact(range: CompactRange): Promise<number>;
  redact(author: Actor): Promise<Redacted>;
}

/** `actor`: as whom the calls are made, where that is known. */
export function httpAccess<D extends AnyDefinition>(
  requester: Requester,
  threadId: string,
  actor?: () => Actor | undefined,
): HttpAccess<D> {
  const calls = callsOver(requester);
  const at = `/threads/${pathPart(threadId)}`;
  return {
    ...pageAccess<D>(requester, threadId, actor),
    compact: async (range) => (await calls.post<{ floor: number }>(`${at}/compact`, range)).floor,
    redact: (author) => calls.post<Redacted>(`${at}/redact`, { author }),
  };
}
