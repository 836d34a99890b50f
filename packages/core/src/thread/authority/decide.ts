// The authority's judgement of a batch, in memory, one submission after another: it depends on
// state, version and what is known of the ids, and on those before it in the batch. Nothing here is
// durable yet; the caller stores the entries and only then tells anybody.
//
// Laws 6 to 8: an accepted update that changes nothing makes no commit; an id that is known gets
// its verdict again; an id that stands for another operation is refused; `conflict` and
// `needs_approval` are not final, so they leave no receipt.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import { rejection } from "../../engine/reject.ts";
import type { Rejection } from "../../engine/rejection.ts";
import type { Judge } from "./approval.ts";
import type { Computed } from "./computed.ts";
import type { Confirmed } from "../confirmed.ts";
import type { Commit, Refusal } from "../commit.ts";
import type { ParsedSubmission } from "./parse-submission.ts";
import type { Entry, Receipt } from "../log/log.ts";
import { receiptKey } from "../log/receipt-key.ts";
import { attemptKey, cutOperation, type Attempts } from "./refusal.ts";
import { typeOf } from "../type-of.ts";

/** What the batch is judged against. */
export interface BatchContext {
  readonly confirmed: Confirmed;
  readonly version: number;
  readonly judge: Judge;
  readonly attempts: Pick<Attempts, "of">;
  /** Receipts of ids that are known, by `receiptKey`. Undefined: nobody looked yet. */
  readonly known: ReadonlyMap<string, Receipt> | undefined;
  /** What the log had to be read for: the transition of the batch's only submission. */
  readonly computed?: Computed | undefined;
}

/**
 * One judgement. `entry` is what must be stored first; `receipt` is an earlier verdict that stands.
 */
export type Judgement =
  | { readonly kind: "committed"; readonly entry: Entry; readonly commit: Commit; readonly confirmed: Confirmed }
  | { readonly kind: "unchanged"; readonly entry: Entry; readonly version: number }
  | { readonly kind: "refused"; readonly entry: Entry; readonly refusal: Refusal; readonly attemptKey: string }
  | { readonly kind: "known"; readonly receipt: Receipt }
  /** Not final: it leaves no trace but the count of attempts. */
  | {
      readonly kind: "notFinal";
      readonly version: number;
      readonly rejection: Rejection;
      readonly attempt: number;
      readonly attemptKey: string;
    };

/**
 * Whose id stands for the effect of a submission. A refusal always stands under the submission's
 * own: it hinders nobody else.
 */
export function receiptOwner({ dedupeKey, actor, id }: Pick<ParsedSubmission, "dedupeKey" | "actor" | "id">): {
  readonly actor: Actor;
  readonly id: string;
} {
  return dedupeKey ?? { actor, id };
}

/** Judges the submissions of one batch: called with each of them, in their order. */
export function judging(definition: AnyDefinition, context: BatchContext): (intake: ParsedSubmission) => Judgement {
  let { confirmed, version } = context;
  const receipts = new Map(context.known);
  const counted = new Map<string, number>();

  function judge(intake: ParsedSubmission): Judgement {
    const { actor, id, hash, origin, at, expectedVersion, operation: update } = intake;
    const owner = receiptOwner(intake);
    const key = receiptKey(owner.actor, owner.id);
    const receipt = receipts.get(key);
    if (receipt !== undefined)
      return receipt.hash === hash ? { kind: "known", receipt } : refuse(intake, reused(id, update));
    if (expectedVersion !== undefined && expectedVersion !== version)
      return refuse(intake, moved(expectedVersion, version, update));
    if (intake.unreadable !== undefined) return refuse(intake, intake.unreadable);
    const next = context.computed?.transition ?? context.judge(confirmed.state, update, actor);
    if (!next.accepted) return refuse(intake, next.rejection);
    if (next.patches.length === 0 && context.computed?.records !== true) {
      const entry: Entry = { receipt: { ...owner, hash, outcome: { accepted: true, version } } };
      receipts.set(key, entry.receipt);
      return { kind: "unchanged", entry, version };
    }
    version += 1;
    confirmed = { state: next.state, isValid: true };
    const { patches, inverse } = next;
    const commit: Commit = {
      version,
      id: owner.id,
      operation: next.operation,
      actor,
      at,
      ...origin,
      patches,
      inverse,
      definitionVersion: definition.version,
    };
    deepFreeze(commit, definition.model.freeze);
    const entry: Entry = { receipt: { ...owner, hash, outcome: { accepted: true, version } }, commit };
    receipts.set(key, entry.receipt);
    return { kind: "committed", entry, commit, confirmed };
  }

  function refuse({ actor, id, hash, origin, at, operation: update }: ParsedSubmission, why: Rejection): Judgement {
    const counter = attemptKey(actor, hash, why);
    const attempt = (counted.get(counter) ?? context.attempts.of(counter)) + 1;
    counted.set(counter, attempt);
    if (why.code === "conflict" || why.code === "needs_approval")
      return { kind: "notFinal", version, rejection: why, attempt, attemptKey: counter };
    const operation = cutOperation(update, why.operation.type, hash);
    const refusal: Refusal = { id, operation, actor, at, ...origin, version, rejection: why, attempt };
    const receipt: Receipt = { actor, id, hash, outcome: { accepted: false, refusal } };
    receipts.set(receiptKey(actor, id), receipt);
    return { kind: "refused", entry: { receipt }, refusal, attemptKey: counter };
  }

  return judge;
}

/** An id stands for one operation. */
export function reused(id: string, update: unknown): Rejection {
  return rejection(
    "conflict",
    typeOf(update),
    `The id "${id}" was used for another operation before. Send this one under an id of its own.`,
    { path: "/id" },
  );
}

function moved(expected: number, version: number, update: unknown): Rejection {
  const message = `The state is at version ${version}, not ${expected} as expected. Look at it again, then send what still holds.`;
  return rejection("conflict", typeOf(update), message, { path: "/expectedVersion", details: { expected, version } });
}
