// The input of a run, as an AG-UI client posts it.
//
// Invariant: the client's copy of the state goes nowhere. The thread is the truth; agents read it there.

import type { RunAgentInput } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { isWellFormed } from "@opstate/core";
import type { BodyLimits } from "../http/json-body.ts";
import { Problem } from "../http/problem.ts";
import { checkThreadId, readObject } from "../routes/environment.ts";

export async function readRunInput(request: Request, limits: BodyLimits): Promise<RunAgentInput> {
  const { state: _, ...body } = await readObject(request, limits);
  if (Object.hasOwn(body, "actor")) {
    throw new Problem("actor_in_body", 'The body has a member "actor". Who acts is known from the request\'s credentials; remove it.');
  }
  const parsed = RunAgentInputSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Problem(
      "invalid_body",
      `The body is not a RunAgentInput: ${issue?.message ?? ""} at /${issue?.path.join("/") ?? ""}.`.slice(0, 500),
    );
  }
  checkThreadId(parsed.data.threadId);
  if (!isWellFormed(parsed.data.runId))
    throw new Problem("invalid_id", "The run's id has half of a surrogate pair; it must be well-formed text.");
  // The schema's type has `undefined` where the protocol's has an absent member; what came as JSON has no undefined.
  return parsed.data as RunAgentInput;
}
