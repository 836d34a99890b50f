// The answers in a run's `resume` that belong to proposals in the thread. They are decided before
// the agent runs.
//
// Invariants:
// - The sender of the run decides, with the rights that `authorize` gives.
// - A run that is sent again decides nothing twice.
// - All other answers are left to the agent.

import type { ResumeEntry, RunAgentInput } from "@ag-ui/core";
import { type Actor, defined, type Thread, type Verdict } from "@opstate/core";

/** A proposal that the client answered, and the verdict on approving or declining it. */
export interface Decision {
  readonly interruptId: string;
  readonly approved: boolean;
  readonly verdict: Verdict;
}

export interface ResumeResult {
  /** The input for the agent: `resume` without the answers to proposals. */
  readonly input: RunAgentInput;
  readonly decisions: readonly Decision[];
}

export interface Decider {
  readonly actor: Actor;
  readonly mayApprove: boolean;
}

interface Answer {
  readonly interruptId: string;
  readonly approved: boolean;
  readonly reason: string | undefined;
}

/** An answer to a proposal that is neither yes nor no. */
export class UnclearAnswer extends Error {
  constructor(interruptId: string) {
    super(
      `The answer to proposal "${interruptId.slice(0, 100)}" is neither yes nor no. Resolve it with the payload { "approved": true } or { "approved": false }, or cancel it.`,
    );
    this.name = "UnclearAnswer";
  }
}

/**
 * Decides on proposals as `input.resume` says, in its order. Throws UnclearAnswer before the first
 * decision. A proposal that was decided before counts too, so a late or repeated answer gets its
 * verdict.
 */
export async function decideProposals(
  thread: Thread,
  input: RunAgentInput,
  { actor, mayApprove }: Decider,
): Promise<ResumeResult> {
  const { resume = [], ...rest } = input;
  const found = await Promise.all(resume.map(({ interruptId }) => thread.proposal(interruptId)));
  const answers = resume.filter((_, index) => found[index] !== undefined).map(readAnswer);
  const others = resume.filter((_, index) => found[index] === undefined);
  const decisions: Decision[] = [];
  for (const { interruptId, approved, reason } of answers) {
    const own = { id: `${input.runId}/${interruptId}`, runId: input.runId, madeAt: Date.now() };
    const options = { ...own, actor, allows: () => mayApprove };
    const verdict = approved
      ? await thread.approve(interruptId, options)
      : await thread.decline(interruptId, { ...options, ...defined({ reason }) });
    decisions.push({ interruptId, approved, verdict });
  }
  return { input: others.length === 0 ? rest : { ...rest, resume: others }, decisions };
}

function readAnswer({ interruptId, status, payload }: ResumeEntry): Answer {
  if (status === "cancelled") return { interruptId, approved: false, reason: undefined };
  const { approved, reason }: { approved?: unknown; reason?: unknown } =
    typeof payload === "object" && payload !== null ? payload : { approved: payload };
  if (typeof approved !== "boolean") throw new UnclearAnswer(interruptId);
  return { interruptId, approved, reason: typeof reason === "string" ? reason : undefined };
}
