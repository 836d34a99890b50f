// The answers in a run's `resume` that are about proposals in the thread: carried out before the
// agent runs.
//
// Invariants: whoever asked for the run decides, with the rights that `authorize` gives; a run that
// is sent again decides nothing twice; answers to anything else are left to the agent.

import type { ResumeEntry, RunAgentInput } from "@ag-ui/core";
import { type Actor, isPropose, type Thread, type Verdict } from "@opstate/core";

/** A proposal that the client answered, and what came of it. */
export interface Decision {
  readonly interruptId: string;
  readonly approved: boolean;
  readonly verdict: Verdict;
}

export interface Decided {
  /** The input as the agent gets it: `resume` without what was decided. */
  readonly input: RunAgentInput;
  readonly decisions: readonly Decision[];
}

export interface Decider {
  readonly actor: Actor;
  readonly mayApprove: boolean;
}

/** An answer to a proposal that is neither yes nor no. */
export class UnclearAnswer extends Error {
  constructor(interruptId: string) {
    super(
      `The answer to proposal "${interruptId.slice(0, 100)}" is neither yes nor no: resolve it with the payload { "approved": true } or { "approved": false }, or cancel it.`,
    );
    this.name = "UnclearAnswer";
  }
}

/** Commits that are looked through for a proposal that is not open any more. */
const LOOKED_THROUGH = 1_000;

/**
 * Carries out what `input.resume` says about proposals, in its order. Throws UnclearAnswer before
 * anything is decided.
 */
export async function decideProposals(
  thread: Thread,
  input: RunAgentInput,
  { actor, mayApprove }: Decider,
): Promise<Decided> {
  const { resume = [], ...rest } = input;
  const proposals: ReadonlySet<string> = resume.length === 0 ? new Set() : await proposalsOf(thread);
  const answers = resume.filter(({ interruptId }) => proposals.has(interruptId)).map(readAnswer);
  const decisions: Decision[] = [];
  for (const { interruptId, approved, reason } of answers) {
    const options = { actor, id: `${input.runId}/${interruptId}`, runId: input.runId, allows: () => mayApprove };
    const verdict = approved
      ? await thread.approve(interruptId, options)
      : await thread.decline(interruptId, { ...options, ...(reason !== undefined && { reason }) });
    decisions.push({ interruptId, approved, verdict });
  }
  const others = resume.filter(({ interruptId }) => !proposals.has(interruptId));
  return { input: others.length === 0 ? rest : { ...rest, resume: others }, decisions };
}

/**
 * The ids of the open proposals, and of those that were decided lately: who answers late, or again,
 * is told so.
 */
async function proposalsOf(thread: Thread): Promise<ReadonlySet<string>> {
  const recent = await thread.history({ order: "descending", limit: LOOKED_THROUGH });
  const made = recent.flatMap((entry) =>
    entry.kind === "commit" && isPropose(entry.commit.operation) ? [entry.commit] : [],
  );
  return new Set([...made, ...(await thread.proposals())].map(({ id }) => id));
}

function readAnswer({ interruptId, status, payload }: ResumeEntry): {
  interruptId: string;
  approved: boolean;
  reason?: string;
} {
  if (status === "cancelled") return { interruptId, approved: false };
  const { approved, reason }: { approved?: unknown; reason?: unknown } =
    typeof payload === "object" && payload !== null ? payload : { approved: payload };
  if (typeof approved !== "boolean") throw new UnclearAnswer(interruptId);
  return { interruptId, approved, ...(typeof reason === "string" && { reason }) };
}
