// What a page asks of a thread beside its state: undo, the past, proposals, branches. One call is
// one request.

import { httpAccess, type HttpAccess, Requester } from "@opstate/client/carriers";
import type { AnyDefinition } from "@opstate/core";
import type { ThreadRequestOptions } from "./request-options.ts";

export type {
  AccessOptions as CallOptions,
  BranchAccess as BranchClient,
  UndoAccessOptions as UndoCallOptions,
} from "@opstate/client/carriers";

export type ThreadClient<D extends AnyDefinition = AnyDefinition> = HttpAccess<D>;

/**
 * A client for undo, the past, proposals and branches of one thread. State and operations go
 * through a replica. When the server refuses a request, the call throws a RequestError with its
 * `status` and `code`.
 *
 * @example
 * ```ts
 * import { threadClient } from "@opstate/server/client";
 *
 * const thread = threadClient<typeof board>({ url: "", threadId: "launch" });
 * const undone = await thread.undo({ runId: "run-7" });
 * if (undone.accepted && undone.commit) await thread.redo(undone.commit.id);
 * for (const { id, sentence } of await thread.proposals()) console.log(id, sentence);
 * ```
 */
export function threadClient<D extends AnyDefinition = AnyDefinition>({
  threadId,
  ...options
}: ThreadRequestOptions): ThreadClient<D> {
  return httpAccess<D>(new Requester(options), threadId);
}
