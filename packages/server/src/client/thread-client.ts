// What a page asks of a thread beside its state: undo, the past, proposals, branches. One call is
// one request.
//
// Invariant: a refused operation is a verdict, a value. A refused request, or a failure of the
// server, throws a RequestError.

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
import type {
  BranchChange,
  DispatchOptions,
  Explanation,
  HistoryRange,
  Merged,
  OnDependent,
  UndoTarget,
} from "@opstate/core/thread";
import { pathPart } from "./path-part.ts";
import { createRequester, type RequestOptions } from "./request.ts";

export interface CallOptions {
  /** A call with an id has one effect, however often it is sent. */
  readonly id?: string;
  readonly runId?: string;
  readonly toolCallId?: string;
  readonly expectedVersion?: number;
}

/**
 * `onDependent`: what becomes of later work that would do something else without what is undone.
 * Default "refuse": the rejection names it. "drop" takes it back too, "keep" keeps what it did.
 */
export type UndoCallOptions = CallOptions & { readonly onDependent?: OnDependent };

type DecideOptions = CallOptions & { readonly proposedAt?: number };
type ApproveOptions = DecideOptions & { readonly anyway?: boolean };

export interface ThreadClient<D extends AnyDefinition = AnyDefinition> {
  /**
   * `undoOutcome` and `dependentsOf` of `@opstate/core/feeds` read what the verdict says about
   * other work.
   */
  undo(target: UndoTarget, options?: UndoCallOptions): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  /** Undoes an undo. `id` is that of the undo. */
  redo(id: string, options?: UndoCallOptions): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  history(range?: HistoryRange): Promise<readonly HistoryEntry<AcceptedOperation<OperationOf<D>>>[]>;
  stateAt(version: number): Promise<Snapshot<StateOf<D>>>;
  explain(pointer: string): Promise<Explanation<AcceptedOperation<OperationOf<D>>> | undefined>;
  proposals(): Promise<readonly Proposal<AcceptedOperation<OperationOf<D>>>[]>;
  /** `basedOn`, `things`: what the proposer saw, as for any submission (`DispatchOptions`). */
  propose(
    update: UpdateOf<D>,
    options?: CallOptions & Pick<DispatchOptions, "basedOn" | "things"> & { readonly expiresAt?: string },
  ): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  /**
   * With `anyway`, the proposal is approved although others changed what it changes. Give
   * `expectedVersion` too: the version up to which those changes were seen.
   */
  approve(proposal: string, options?: ApproveOptions): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  decline(
    proposal: string,
    options?: DecideOptions & { readonly reason?: string },
  ): Promise<Verdict<AcceptedOperation<OperationOf<D>>>>;
  branches(): Promise<readonly ThreadInfo[]>;
  /**
   * Creates a branch at a version (default: the newest). When a branch of the same `name` and
   * version exists, it returns that one.
   */
  branch(options?: {
    readonly version?: number;
    readonly name?: string;
  }): Promise<BranchClient<D> & { readonly parent: ThreadParent }>;
  /** The client of an existing branch. Sends nothing. */
  openBranch(threadId: string): BranchClient<D>;
  /** Deletes the older history and resolves to the new floor. Needs the right "admin". */
  compact(range: CompactRange): Promise<number>;
}

export interface BranchClient<D extends AnyDefinition = AnyDefinition> {
  /** A branch is a thread: `httpTransport({ url, threadId })` follows it. */
  readonly threadId: string;
  diff(): Promise<readonly BranchChange<AcceptedOperation<OperationOf<D>>>[]>;
  merge(options?: { readonly ids?: readonly string[] }): Promise<readonly Merged<AcceptedOperation<OperationOf<D>>>[]>;
  discard(): Promise<void>;
}

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
export function threadClient<D extends AnyDefinition = AnyDefinition>(options: RequestOptions): ThreadClient<D> {
  const { get, post, postForVerdict, remove } = createRequester(options);

  const undo: ThreadClient<D>["undo"] = (target, rest = {}) => postForVerdict("/undo", { target, ...rest });

  function openBranch(threadId: string): BranchClient<D> {
    const path = `/branches/${pathPart(threadId)}`;
    return {
      threadId,
      diff: () => get(`${path}/diff`),
      merge: ({ ids } = {}) => post(`${path}/merge`, { ids }),
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
    propose: (operation, rest = {}) => postForVerdict("/proposals", { operation, ...rest }),
    approve: async (proposal, rest = {}) => postForVerdict(`/proposals/${pathPart(proposal)}/approve`, rest),
    decline: async (proposal, rest = {}) => postForVerdict(`/proposals/${pathPart(proposal)}/decline`, rest),
    branches: () => get("/branches"),
    async branch(start = {}) {
      const { threadId, parent } = await post<{ threadId: string; parent: ThreadParent }>("/branches", start);
      return { ...openBranch(threadId), parent };
    },
    openBranch,
    compact: async (range) => (await post<{ floor: number }>("/compact", range)).floor,
  };
}
