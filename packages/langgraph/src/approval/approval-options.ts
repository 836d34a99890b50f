// Which calls need approval, what the run does meanwhile, and who may answer: the same for all
// runs, or by run.

import {
  type ApprovalAnswer,
  connectionOf,
  type Credentials,
  type Decider,
  deciderFor,
  needsApproval as needsApprovalOf,
} from "@opstate/agent";
import type { Actor, AnyDefinition, Thread } from "@opstate/core";
import { runOf, type RunConfig } from "../thread/thread-source.ts";

/** An actor, or, of a thread on a server, how that person is known there. */
export type Approver = Actor | Credentials;

/** Which calls need approval: those whose definition says so of the actor (`approve`), or all. */
export type Ask = "needed" | "always";

/**
 * What the run does meanwhile: it is interrupted until the call is answered, or goes on while the
 * proposal stays open in the thread.
 */
export type Approval = "interrupt" | "propose";

export interface ApprovalOptions {
  /** Which calls need approval; default "needed". */
  readonly ask?: Ask | ((config: RunConfig) => Ask);
  /** What the run does meanwhile; default "interrupt", which needs a checkpointer. */
  readonly approval?: Approval | ((config: RunConfig) => Approval);
  /**
   * Who answers an interrupt, by the config of the run that brings the answer. An answer itself
   * does not say who gave it. The actor must have the right to approve, else the interrupt asks
   * again, with words; undefined means that interrupts cannot be answered here, only in the thread.
   *
   * Of a thread on a server (`remoteThread`) it gives that person's credentials, `{ headers }`: the
   * server identifies an actor by these alone. Without them nothing is accepted or edited here, and
   * the proposal stays open for a page.
   *
   * Default: `{ kind: "user", id: "user" }`, of a thread in this process. Behind `graphAgent` the
   * default is undefined, because the server carries out the answers in the thread.
   */
  readonly approver?: Approver | ((config: RunConfig) => Approver | undefined);
}

/**
 * Whether a call of this operation needs approval. On a branch only `ask: "always"` requests
 * it: nothing there counts before it is merged.
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
  return needsApprovalOf(definition, type, { actor, thread });
}

export function approvalOf({ approval }: ApprovalOptions, config: RunConfig): Approval {
  return (typeof approval === "function" ? approval(config) : approval) === "propose" ? "propose" : "interrupt";
}

/**
 * Who carries the answer out; or, in words, why it is not carried out. The proposer may decline
 * what they proposed, so a decline needs no credentials.
 */
export async function deciderOf(
  { approver }: ApprovalOptions,
  answer: ApprovalAnswer["type"],
  thread: Thread,
  config: RunConfig,
): Promise<Decider | string> {
  const given = typeof approver === "function" ? approver(config) : approver;
  const isNamed =
    approver !== undefined || runOf(config)?.requester !== undefined || connectionOf(thread) !== undefined;
  return deciderFor(thread, given ?? (isNamed ? undefined : USER), answer);
}

const USER: Actor = { kind: "user", id: "user" };
