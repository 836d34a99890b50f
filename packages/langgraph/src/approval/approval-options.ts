// Which calls wait for approval, how they wait, and who may answer: the same for all runs, or by
// run.

import type { Actor, AnyDefinition, Thread } from "@opstate/core";
import { runOf, type RunConfig } from "../thread/thread-source.ts";

/** Which calls wait: those whose definition says so of the actor (`approve`), or every call. */
export type Ask = "needed" | "always";

/**
 * How a call waits: it interrupts the graph until it is answered, or the run goes on while the
 * proposal stays open in the thread.
 */
export type Approval = "interrupt" | "propose";

export interface ApprovalOptions {
  /** Which calls wait for approval; default "needed". */
  readonly ask?: Ask | ((config: RunConfig) => Ask);
  /** How they wait; default "interrupt", which needs a checkpointer. */
  readonly approval?: Approval | ((config: RunConfig) => Approval);
  /**
   * Who answers an interrupt, by the config of the run that brings the answer. An answer itself
   * does not say who gave it. The actor must have the right to approve; undefined means that
   * interrupts cannot be answered here, only in the thread.
   *
   * Default: `{ kind: "user", id: "user" }`. Behind `graphAgent` the default is undefined, because
   * the server carries out the answers in the thread.
   */
  readonly approver?: Actor | ((config: RunConfig) => Actor | undefined);
}

/**
 * Whether a call of this operation waits for approval. On a branch only `ask: "always"` makes it
 * wait: nothing there counts before it is merged.
 */
export function needsApproval(
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
