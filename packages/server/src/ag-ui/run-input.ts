// The input of a run, as an AG-UI client posts it.
//
// Invariants: the client's copy of the state goes nowhere: the thread is the truth, agents read it
// there; whether the run is permitted is asked before the body is read when the query names the
// thread, else when its first 64 KB are there; it is never parsed before, unless it is shorter than
// that.

import type { RunAgentInput } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { isWellFormed } from "@opstate/core";
import type { BodyLimits } from "../http/json-body.ts";
import { textMember } from "../http/json-start.ts";
import { Problem } from "../http/problem.ts";
import { checkThreadId, readObject } from "../routes/environment.ts";

/**
 * The thread of a run, as its query names it, and whether it may run there: `permit` rejects when
 * not.
 */
export interface RunTarget {
  readonly threadId: string | undefined;
  readonly permit: (threadId: string) => Promise<void>;
}

export async function readRunInput(request: Request, limits: BodyLimits, target: RunTarget): Promise<RunAgentInput> {
  let threadId = target.threadId;

  async function permit(id: string): Promise<void> {
    threadId = checkThreadId(id);
    await target.permit(threadId);
  }

  async function permitByStart(start: Uint8Array, isAll: boolean): Promise<void> {
    const found = textMember(start, "threadId");
    if (found !== undefined) return permit(found);
    if (!isAll)
      throw new Problem("invalid_body", `\`threadId\` must stand within the first 64 KB of the body, or in the query.`);
  }

  if (threadId !== undefined) await permit(threadId);
  const { state: _, ...body } = await readObject(request, limits, threadId === undefined ? permitByStart : undefined);
  // A short body may write the member's name in a way of its own.
  if (threadId === undefined && typeof body["threadId"] === "string") await permit(body["threadId"]);
  if (Object.hasOwn(body, "actor")) {
    throw new Problem(
      "actor_in_body",
      'The body has a member "actor". Who acts is known from the request\'s credentials; remove it.',
    );
  }
  if (threadId !== undefined && body["threadId"] !== threadId) {
    throw new Problem(
      "invalid_body",
      `The run was asked for on thread "${threadId}", and the body ends up naming another \`threadId\`.`,
    );
  }
  const parsed = RunAgentInputSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Problem(
      "invalid_body",
      `The body is not a RunAgentInput: ${issue?.message ?? ""} at /${issue?.path.join("/") ?? ""}.`.slice(0, 500),
    );
  }
  if (!isWellFormed(parsed.data.runId))
    throw new Problem("invalid_id", "The run's id has half of a surrogate pair; it must be well-formed text.");
  // The schema's type has `undefined` where the protocol's has an absent member; what came as JSON
  // has no undefined.
  return parsed.data as RunAgentInput;
}
