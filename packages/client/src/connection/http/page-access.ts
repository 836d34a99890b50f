// What a page asks of a thread beside its state: undo, the past, proposals, branches. One call is
// one request.
//
// Invariants:
// - A refused operation is a verdict, a value. A refused request, or a failure of the server,
//   throws a RequestError.
// - A change is sent with its actor (`as`): the credentials may be another actor's by now. Only
//   `discard` is not, since a DELETE has no body.

import type { Actor, AnyDefinition } from "@opstate/core";
import type { ThreadParent } from "@opstate/core/log";
import type { BranchAccess, ThreadAccess } from "../../thread-access.ts";
import { callsOver } from "./calls.ts";
import { pathPart } from "./path-part.ts";
import type { Requester } from "./request.ts";

/** The calls of a page. A branch has its parent beside it. */
export interface PageAccess<D extends AnyDefinition = AnyDefinition> extends ThreadAccess<D> {
  branch(options?: {
    readonly version?: number;
    readonly name?: string;
  }): Promise<BranchAccess<D> & { readonly parent: ThreadParent }>;
}

/** `actor`: as whom the calls are made, where that is known. */
export function pageAccess<D extends AnyDefinition>(
  requester: Requester,
  threadId: string,
  actor: () => Actor | undefined = () => undefined,
): PageAccess<D> {
  const calls = callsOver(requester);
  const at = `/threads/${pathPart(threadId)}`;
  const own = <T extends object>(body: T) => {
    const { kind, id } = actor() ?? {};
    return { ...body, ...(kind !== undefined && { as: { kind, id } }) };
  };

  /** Sent with the time when it was made: the present one, unless the caller gives it. */
  const edit = <T>(path: string, body: object) =>
    calls.postForVerdict<T>(`${at}/${path}`, own({ madeAt: Date.now(), ...body }));

  /** The server says null where there is nothing. */
  const find = async <T>(path: string, query?: Parameters<typeof calls.get>[1]) =>
    (await calls.get<T | null>(`${at}/${path}`, query)) ?? undefined;

  const undo: PageAccess<D>["undo"] = (target, rest) => edit("undo", { target, ...rest });

  function openBranch(id: string): BranchAccess<D> {
    const path = `${at}/branches/${pathPart(id)}`;
    return {
      threadId: id,
      diff: () => calls.get(`${path}/diff`),
      merge: ({ ids } = {}) => calls.post(`${path}/merge`, own({ ids })),
      discard: () => calls.remove(path),
    };
  }

  return {
    undo,
    redo: (id, rest) => undo({ ids: [id] }, rest),
    history: (range = {}) => calls.get(`${at}/history`, { ...range }),
    stateAt: (version) => calls.get(`${at}/states/${version}`),
    explain: (pointer) => find("explain", { pointer }),
    proposals: () => calls.get(`${at}/proposals`),
    proposal: (id, which) => find(`proposals/${pathPart(id)}`, which),
    propose: (operation, rest) => edit("proposals", { operation, ...rest }),
    approve: async (proposal, rest = {}) => edit(`proposals/${pathPart(proposal)}/approve`, rest),
    decline: async (proposal, rest = {}) => edit(`proposals/${pathPart(proposal)}/decline`, rest),
    branches: () => calls.get(`${at}/branches`),
    async branch(start = {}) {
      const { threadId: id, parent } = await calls.post<{ threadId: string; parent: ThreadParent }>(
        `${at}/branches`,
        own(start),
      );
      return { ...openBranch(id), parent };
    },
    openBranch,
  };
}
