// A proposal in words: for the model whose call it was, and for the person who decides.

import { defined, type Actor, type AnyDefinition, type AnyOperation, type Commit } from "@opstate/core";
import type { Patch } from "@opstate/core/json-patch";
import { isPropose } from "@opstate/core/log";
import { actorText, sentenceOf } from "@opstate/core/thread";
import { proposedOperation } from "./proposal-outcome.ts";
import { describeChanges } from "../verdict/describe-changes.ts";

/** What a model reads of its call while the proposal is open. `name` is the state's. */
export function openProposalText(name: string, { id }: { readonly id: string }): string {
  return `Proposed as "${id}": it waits for a person's approval. Until it is approved, ${name} is unchanged by this call. Continue without it, and do not propose it again.`;
}

interface Question {
  readonly actor: Actor;
  readonly operation: AnyOperation;
  /** What it would change. */
  readonly patches: Patch;
  /** What the operation's `describe` gave. */
  readonly sentence?: string | undefined;
}

/** The question to a person: who wants to do what, and what it would change. */
export function questionText(definition: AnyDefinition, question: Question): string {
  const { actor, operation, patches, sentence } = question;
  const what = `${actorText(actor)} asks for approval: ${sentenceOf(definition, { operation, ...defined({ sentence }) })}`;
  return patches.length === 0 ? what : `${what}\nIt would change: ${describeChanges(patches)}`;
}

/** The question about a proposal, by its commit. */
export function proposalQuestion(definition: AnyDefinition, proposal: Commit): string {
  const { actor, operation, sentence } = proposal;
  const patches = isPropose(operation) ? operation.patches : [];
  return questionText(definition, { actor, operation: proposedOperation(proposal), patches, sentence });
}
