// Which calls wait for somebody's yes, how they wait, and who may answer: the same for all runs, or
// by run.

import type { Actor, AnyDefinition, Thread } from "@opstate/core";
import { runOf, type RunConfig } from "../thread/thread-source.ts";

/** Which calls wait: those whose definition says so of the actor (`approve`), or every call. */
export type Ask = "needed" | "always";

/**
 * How a call waits: it interrupts the graph until it is answered, or the run goes on and the
 * proposal stays open in the thread.
 */
export type Approval = "interrupt" | "propose";

export interface ApprovalOptions {
  /** Which calls wait for somebody's yes; default "needed". */
  readonly ask?: Ask | ((config: RunConfig) => Ask);
  /** How they wait; default "interrupt", which needs a checkpointer. */
  readonly approval?: Approval | ((config: RunConfig) => Approval);
  /**
   * Who answers an interrupt, by the run that brings the answer: it must be somebody who may
   * approve, for the answer itself says nothing of who gave it. Undefined: nobody may answer there,
   * only in the thread. Default: whoever resumes the graph, as `{ kind: "user", id: "user" }`;
   * behind `graphAgent` nobody, since the server has the answers carried out in the thread.
   */
  readonly approver?: Actor | ((config: RunConfig) => Actor | undefined);
}

/**
 * Whether calls of this operation wait for a yes. On a branch nothing counts before it is merged,
 * so nothing needs one there.
 */
export function mustAsk(
  definition: AnyDefinition,
  type: string,
  {
    ask,
    actor,
    thread,
    config,
  }: { ask: ApprovalOptions["ask"]; actor: Actor; thread: Pick<Thread, "parent">; config: RunConfig },
): boolean {
  if ((typeof ask === "function" ? ask(config) : ask) === "always") return true;
  if (thread.parent !== undefined) return false;
  const { operations, replace } = definition.model;
  const approve = type === "$replace" ? replace.approve : operations.get(type)?.approve;
  return approve?.includes(actor.kind) === true;
}

export function approvalOf({ approval }: ApprovalOptions, config: RunConfig): Approval {
  return (typeof approval === "function" ? approval(config) : approval) === "propose" ? "propose" : "interrupt";
}

export function approverOf({ approver }: ApprovalOptions, config: RunConfig): Actor | undefined {
  if (approver !== undefined) return typeof approver === "function" ? approver(config) : approver;
  return runOf(config)?.requester === undefined ? { kind: "user", id: "user" } : undefined;
}
