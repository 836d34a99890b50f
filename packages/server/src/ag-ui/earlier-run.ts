// What earlier runs of the thread mean for a request: it began that run already, or continues one.
//
// Invariant: a run is begun and continued once, by who started it.

import { sameActor } from "@opstate/core/thread";
import { Problem } from "../http/problem.ts";
import type { RunRecord } from "../runs/run-record.ts";
import type { Run } from "./run-stream.ts";

/** The detached run that the request began before, when the answer to it was lost. */
export function begunBefore({ isDetached, threadRuns, input, actor }: Run): RunRecord | undefined {
  const known = isDetached ? threadRuns.find(input.runId, actor) : undefined;
  return known?.head.detached === true && sameActor(known.head.actor, actor) ? known : undefined;
}

/** Throws a Problem when the run that the request is to go on with cannot be continued. */
export function checkContinued({ name, threadRuns, actor, continues, isContinuable }: Run): void {
  if (continues === undefined) return;
  const named = `run "${continues.slice(0, 200)}"`;
  const stopped = threadRuns.find(continues, actor);
  if (stopped === undefined || !sameActor(stopped.head.actor, actor))
    throw new Problem("unknown_run", `There is no ${named} of yours to continue.`);
  if (stopped.head.agent !== name)
    throw new Problem("not_continuable", `The ${named} is one of agent "${stopped.head.agent}", not of "${name}".`);
  if (!stopped.continuable || !isContinuable)
    throw new Problem(
      "not_continuable",
      `The ${named} is ${stopped.status}. Only a run that a stop of the server cut can be continued, and only where its agent is served with \`continuable\`.`,
    );
  const next = threadRuns.all.find(({ head }) => head.continues === continues && sameActor(head.actor, actor));
  if (next !== undefined) throw continuedAlready(continues, next.head.runId);
}

export function continuedAlready(continues: string, by: string): Problem {
  return new Problem("not_continuable", `The run "${continues.slice(0, 200)}" was continued already, by run "${by}".`);
}
