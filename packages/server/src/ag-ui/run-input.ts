// The input of a run, as an AG-UI client posts it.
//
// Invariants:
// - The client's copy of the state is dropped. Agents read the state from the thread.
// - When the query names the thread, permission is checked before the body is read. Otherwise it is
//   checked when the first 64 KB are there.
// - The body is never parsed before that check, except when it is shorter than 64 KB.

import type { RunAgentInput } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { isWellFormed } from "@opstate/core/thread";
import type { BodyLimits } from "../http/json-body.ts";
import { readStringMember } from "../http/json-start.ts";
import { Problem } from "../http/problem.ts";
import { readObject, refuseActor } from "../routes/read-request.ts";
import { checkThreadId } from "../threads/thread-id.ts";

/** On which thread a run is requested. */
export interface RunTarget {
  /** The thread in the query, if it names one. */
  readonly threadId: string | undefined;
  /** Rejects with a Problem when the sender may not run agents on the thread. */
  readonly permit: (threadId: string) => Promise<void>;
}

export async function readRunInput(request: Request, limits: BodyLimits, target: RunTarget): Promise<RunAgentInput> {
  let threadId = target.threadId;

  async function permit(id: string): Promise<void> {
    threadId = checkThreadId(id);
    await target.permit(threadId);
  }

  async function permitByStart(start: Uint8Array, isAll: boolean): Promise<void> {
    const found = readStringMember(start, "threadId");
    if (found !== undefined) return permit(found);
    if (!isAll)
      throw new Problem("invalid_body", "`threadId` must be within the first 64 KB of the body, or in the query.");
  }

  if (threadId !== undefined) await permit(threadId);
  const { state: _, ...body } = await readObject(request, limits, threadId === undefined ? permitByStart : undefined);
  // A short body may spell the member's name with escapes, which the hint does not see.
  if (threadId === undefined && typeof body["threadId"] === "string") await permit(body["threadId"]);
  refuseActor(body, "The body");
  if (threadId !== undefined && body["threadId"] !== threadId) {
    throw new Problem(
      "invalid_body",
      `The request names thread "${threadId}", but the body has another \`threadId\`. Both must be the same.`,
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
    throw new Problem("invalid_id", "`runId` must be well-formed text. It has half of a surrogate pair.");
  // The schema's type allows `undefined` where the protocol's type has an absent member. A value
  // that was parsed from JSON has no undefined.
  return parsed.data as RunAgentInput;
}
