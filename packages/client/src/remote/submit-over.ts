// One submission over HTTP. It has an id, so it has one effect however often it is sent: what the
// network loses is sent again.

import type { AcceptedOperationOf, Actor, AnyDefinition, Verdict } from "@opstate/core";
import type { DispatchOptions } from "@opstate/core/thread";
import { backoff } from "../connection/http/backoff.ts";
import { callsOver } from "../connection/http/calls.ts";
import { Pause } from "../connection/http/pause.ts";
import { problemError, RequestError, type Requester } from "../connection/http/request.ts";

/** How often it is sent at most. */
const ATTEMPTS = 4;
/** Milliseconds. A caller gets the error of a server that wants more. */
const LONGEST = 30_000;

type Answer<D extends AnyDefinition> =
  | Verdict<AcceptedOperationOf<D>>
  | { readonly problem: { readonly status: number } & object };

/** Throws a RequestError when the server refuses the request itself. */
export async function submitOver<D extends AnyDefinition>(
  requester: Requester,
  threadId: string,
  actor: Actor,
  operation: unknown,
  options: Omit<DispatchOptions, "actor"> & { readonly id: string },
): Promise<Verdict<AcceptedOperationOf<D>>> {
  const { kind, id } = actor;
  const { runId, toolCallId, expectedVersion, basedOn, things, madeAt } = options;
  const envelope = { id: options.id, runId, toolCallId, expectedVersion, basedOn, things, madeAt };
  const body = { as: { kind, id }, submissions: [{ thread: threadId, operation, ...envelope }] };
  for (let attempt = 1; ; attempt++) {
    try {
      const [answer] = await callsOver(requester).post<readonly Answer<D>[]>("/operations", body);
      if (answer === undefined) throw new Error("The server gave no verdict.");
      if ("problem" in answer) throw problemError(answer.problem, answer.problem.status);
      return answer;
    } catch (error) {
      const retryAfter = error instanceof RequestError ? error.retryAfter : undefined;
      // A gateway that answers for a server that is away has not passed it on, or lost its answer.
      const isLost = !(error instanceof RequestError) || [502, 503, 504].includes(error.status);
      if ((!isLost && retryAfter === undefined) || attempt === ATTEMPTS || (retryAfter ?? 0) > LONGEST) throw error;
      await new Pause().for(Math.max(backoff(attempt), retryAfter ?? 0));
    }
  }
}
