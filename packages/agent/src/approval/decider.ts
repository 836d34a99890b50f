// The actor who carries a person's answer out in the thread.

import type { Actor, Rejection, Thread, Verdict } from "@opstate/core";
import { APPROVE, DECLINE } from "@opstate/core/log";
import type { ApprovalAnswer } from "./answer.ts";
import { connectionOf, isCredentials, type Credentials, type Decider } from "./connection.ts";

/**
 * The decider for a person, or in words why there is none. A thread of this process knows a person
 * as an actor, one of a server by their credentials. The proposer may decline what they proposed,
 * so there a decline needs no credentials.
 */
export async function deciderFor(
  thread: Thread,
  person: Actor | Credentials | undefined,
  answer: ApprovalAnswer["type"],
): Promise<Decider | string> {
  const connection = connectionOf(thread);
  if (connection === undefined) {
    if (person === undefined)
      return "This run names no approver, so the answer was not used. An actor with the right to approve must decide the proposal.";
    if (!isCredentials(person)) return { actor: person, approve: thread.approve, decline: thread.decline };
    return "`approver` gave credentials, but the thread is in this process, where it must give an actor. The answer was not used.";
  }
  if (person !== undefined && isCredentials(person)) {
    try {
      return refusingDecider(await connection.as(person), thread);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `The server refused the credentials that \`approver\` gave (${reason}), so the answer was not used.`;
    }
  }
  if (answer === "decline") return { actor: connection.actor, approve: thread.approve, decline: thread.decline };
  return "The answer was not used: the thread is on a server, which knows a person by their credentials, and `approver` gave none. The proposal is open until a person decides it on a page.";
}

/** The decider. When a server refuses them (403), that is a verdict as well. */
function refusingDecider(decider: Decider, { version }: Pick<Thread, "version">): Decider {
  const verdictOn = (type: string, error: unknown): Verdict => {
    if (!(error instanceof Error && "status" in error && error.status === 403)) throw error;
    const rejection: Rejection = { code: "forbidden", message: error.message, operation: { type } };
    return { accepted: false, version, rejection, attempt: 1 };
  };
  return {
    actor: decider.actor,
    approve: (...given) => decider.approve(...given).catch((error: unknown) => verdictOn(APPROVE, error)),
    decline: (...given) => decider.decline(...given).catch((error: unknown) => verdictOn(DECLINE, error)),
  };
}
