// What a page asks of a thread beside its state: taking back, the past, proposals, branches. One
// call is one request.
//
// Invariant: what the thread refused is a verdict, a value; what the server could not take, or
// could not do, is thrown.

import type {
  AnyDefinition,
  HistoryEntry,
  OperationOf,
  Proposal,
  Snapshot,
  StateOf,
  AcceptedOperation,
  UpdateOf,
  Verdict,
} from "@opstate/core";
import type { CompactRange, ThreadInfo, ThreadParent } from "@opstate/core/log";
import type { BranchChange, Explanation, HistoryRange, Merged, UndoTarget } from "@opstate/core/thread";
import { pathPart } from "./path-part.ts";
import { requester, type RequestOptions } from "./request.ts";

/** The id under which a call has one effect, however often it is sent. */
export interface CallOptions {
  readonly id?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
}

type DecideOptions = CallOptions & { readonly proposedAt?: number };
type ApproveOptions = DecideOptions & { readonly anyway?: boolean };

export interface ThreadClient<D extends AnyDefinition = AnyDefinition> {
  undo(
    target: UndoTarget,
    options?: CallOptions & { readonly onDependent?: "refuse" | "drop" },
  ): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  /** Brings back what an undo took: `id` is that undo's. */
  redo(
    id: string,
    options?: CallOptions & { readonly onDependent?: "refuse" | "drop" },
  ): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  history(range?: HistoryRange): Promise<readonly HistoryEntry<AcceptedOperation<OperationOf<D>>>[]>;
  stateAt(version: number): Promise<Snapshot<StateOf<D>>>;
  explain(pointer: string): Promise<Explanation<AcceptedOperation<OperationOf<D>>> | undefined>;
  proposals(): Promise<readonly Proposal<AcceptedOperation<OperationOf<D>>>[]>;
  propose(
    update: UpdateOf<D>,
    options?: CallOptions & { readonly expiresAt?: string },
  ): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  /**
   * `anyway`: although what it changes is not any more as it was shown; with `expectedVersion`, up
   * to where that was looked at.
   */
  approve(proposal: string, options?: ApproveOptions): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  decline(
    proposal: string,
    options?: DecideOptions & { readonly reason?: string },
  ): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  branches(): Promise<readonly ThreadInfo[]>;
  /**
   * Makes a branch at a version (default: the newest); with the `name` of one that there is, of the
   * same version, it gives that one.
   */
  branch(options?: {
    readonly version?: number;
    readonly name?: string;
  }): Promise<BranchClient<D> & { readonly parent: ThreadParent }>;
  /** A branch that is known to be there. Nothing is sent. */
  openBranch(threadId: string): BranchClient<D>;
  /** Forgets the older history, and gives the new floor; for who has the right "admin". */
  compact(range: CompactRange): Promise<number>;
}

export interface BranchClient<D extends AnyDefinition = AnyDefinition> {
  /** A thread of its own: `httpTransport({ url, threadId })` follows it. */
  readonly threadId: string;
  diff(): Promise<readonly BranchChange<AcceptedOperation<OperationOf<D>>>[]>;
  merge(options?: { readonly ids?: readonly string[] }): Promise<readonly Merged<AcceptedOperation<OperationOf<D>>>[]>;
  discard(): Promise<void>;
}

/**
 * Calls on a thread of an opstate server. State and operations go through a replica; this is for
 * what stands beside them. A call that the server did not take throws a RequestError with its
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
export function threadClient<D extends AnyDefinition = AnyDefinition>(options: RequestOptions): ThreadClient<D> {
  const { get, post, judged, remove } = requester(options);

  const undo: ThreadClient<D>["undo"] = (target, rest = {}) => judged("/undo", { target, ...rest });

  function openBranch(threadId: string): BranchClient<D> {
    const path = `/branches/${pathPart(threadId)}`;
    return {
      threadId,
      diff: () => get(`${path}/diff`),
      merge: ({ ids } = {}) => post(`${path}/merge`, ids === undefined ? {} : { ids }),
      discard: () => remove(path),
    };
  }

  return {
    undo,
    redo: (id, rest) => undo({ ids: [id] }, rest),
    history: (range = {}) => get("/history", { ...range }),
    stateAt: (version) => get(`/states/${version}`),
    explain: async (pointer) =>
      (await get<Explanation<AcceptedOperation<OperationOf<D>>> | null>("/explain", { pointer })) ?? undefined,
    proposals: () => get("/proposals"),
    propose: (operation, rest = {}) => judged("/proposals", { operation, ...rest }),
    approve: async (proposal, rest = {}) => judged(`/proposals/${pathPart(proposal)}/approve`, rest),
    decline: async (proposal, rest = {}) => judged(`/proposals/${pathPart(proposal)}/decline`, rest),
    branches: () => get("/branches"),
    async branch(start = {}) {
      const { threadId, parent } = await post<{ threadId: string; parent: ThreadParent }>("/branches", start);
      return { ...openBranch(threadId), parent };
    },
    openBranch,
    compact: async (range) => (await post<{ floor: number }>("/compact", range)).floor,
  };
}
