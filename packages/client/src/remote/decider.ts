// What a person decides on a thread of a server, by credentials of their own.

import type { AcceptedOperationOf, Actor, AnyDefinition, Verdict } from "@opstate/core";
import { APPROVE, DECLINE } from "@opstate/core/log";
import { type ApproveOptions, type DecideOptions, sameActor } from "@opstate/core/thread";
import { callsOver } from "../connection/http/calls.ts";
import { httpAccess } from "../connection/http/http-access.ts";
import { pathPart } from "../connection/http/path-part.ts";
import { Requester, type RequestOptions } from "../connection/http/request.ts";
import { otherActor } from "./other-actor.ts";

type VerdictOf<D extends AnyDefinition> = Promise<Verdict<AcceptedOperationOf<D>>>;

export interface Decider<D extends AnyDefinition = AnyDefinition> {
  /** Whom the server takes the credentials for. Each decision is theirs. */
  readonly actor: Actor;
  approve(proposal: string, options: ApproveOptions): VerdictOf<D>;
  decline(proposal: string, options: DecideOptions & { readonly reason?: string }): VerdictOf<D>;
}

/** `shown` resolves when the thread's state shows a version. */
export async function decider<D extends AnyDefinition>(
  options: RequestOptions,
  threadId: string,
  shown: (version: number) => Promise<void>,
): Promise<Decider<D>> {
  const requester = new Requester(options);
  const { actor, version } = await callsOver(requester).get<{ actor: Actor; version: number }>(
    `/threads/${pathPart(threadId)}`,
  );
  const access = httpAccess<D>(requester, threadId, () => actor);

  async function decide<Options extends DecideOptions>(
    options: Options,
    type: string,
    send: (options: Omit<Options, "actor" | "allows">) => VerdictOf<D>,
  ): VerdictOf<D> {
    // The server says what they may do.
    const { actor: named, allows: _, ...rest } = options;
    if (!sameActor(named, actor)) return otherActor(named, actor, type, version);
    const verdict = await send(rest);
    await shown(verdict.version);
    return verdict;
  }

  return {
    actor,
    approve: (proposal, how) => decide(how, APPROVE, (given) => access.approve(proposal, given)),
    decline: (proposal, how) => decide(how, DECLINE, (given) => access.decline(proposal, given)),
  };
}
