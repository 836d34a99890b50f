// The question that a client asks about an open proposal: plain data, in the shape of an AG-UI
// interrupt. Whatever ends a run of an agent with open proposals sends it.

import type { Actor } from "../../engine/actor.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import { defined } from "../../defined.ts";
import type { Patch } from "../../patch/index.ts";
import type { Proposal } from "../results.ts";
import { actorText } from "../words.ts";

export interface Confirmation {
  /** The proposal's id. */
  readonly id: string;
  readonly reason: "confirmation";
  /** A sentence for a person. */
  readonly message: string;
  readonly toolCallId?: string;
  /** ISO 8601 in UTC: from then on it cannot be approved. */
  readonly expiresAt?: string;
  /** JSON Schema of the answer. */
  readonly responseSchema: { readonly type: "object"; readonly [keyword: string]: unknown };
  readonly metadata: {
    readonly opstate: {
      readonly proposal: string;
      /** The version of the proposal's commit. */
      readonly proposedAt: number;
      readonly operation: AnyOperation;
      readonly patches: Patch;
      readonly basedOn: number;
      readonly proposer: Actor;
    };
  };
}

/** A proposal, or a commit of one with its operation's members. */
export type ProposalFacts = Pick<
  Proposal,
  "id" | "version" | "operation" | "actor" | "toolCallId" | "basedOn" | "patches" | "expiresAt"
>;

/** The question whether a proposal is to be carried out; the answer is `{ approved, reason? }`. */
export function confirmationOf(proposal: ProposalFacts): Confirmation {
  const { id, version, operation, actor, toolCallId, basedOn, patches, expiresAt } = proposal;
  return {
    id,
    reason: "confirmation",
    message: `${actorText(actor)} asks to do "${operation.type}".`,
    ...defined({ toolCallId, expiresAt }),
    responseSchema: {
      type: "object",
      properties: { approved: { type: "boolean" }, reason: { type: "string" } },
      required: ["approved"],
    },
    metadata: { opstate: { proposal: id, proposedAt: version, operation, patches, basedOn, proposer: actor } },
  };
}
