// The authority's judgement of a batch, in memory, one submission after another. It depends on the
// state, the version, what is known of the ids, and the submissions before it in the batch. Nothing
// here is durable yet: the caller stores the entries before it publishes them.
//
// Laws 6 to 8:
// - An accepted update that changes nothing makes no commit.
// - An id that is known gets its verdict again; for another operation it is refused.
// - `conflict` and `needs_approval` are not final, so they leave no receipt.

import type { AnyDefinition } from "../../definition/definition.ts";
import type { Actor } from "../../engine/actor.ts";
import { deepFreeze } from "../../engine/freeze.ts";
import { rejection } from "../../engine/rejection/reject.ts";
import { isFinal, type Rejection } from "../../engine/rejection/rejection.ts";
import type { SharedCopies } from "../../engine/shared-copies.ts";
import { describeOperation } from "../../engine/sentence.ts";
import type { NamedState } from "../../engine/things/index.ts";
import type { Judge } from "./approval.ts";
import type { BatchNames } from "./batch-names.ts";
import type { Computed } from "./computed.ts";
import type { Confirmed } from "../confirmed.ts";
import { LaterState } from "../later-state.ts";
import type { Commit, Refusal } from "../commit.ts";
import { innerOperation } from "../entries.ts";
import type { ParsedSubmission } from "./parse-submission.ts";
import { boundedBytes } from "../log/entry-size.ts";
import type { Entry, Receipt } from "../log/log.ts";
import { ERASED_HASH } from "../log/operation-hash.ts";
import { receiptKey } from "../log/receipt-key.ts";
import { newSince, type Remembered, tooOld } from "./remembered.ts";
import { attemptKey, cutOperation, type Attempts } from "./refusal.ts";
import { typeOf } from "../type-of.ts";

/** What the batch is judged against. */
export interface BatchContext {
  readonly confirmed: Confirmed;
  readonly version: number;
  readonly judge: Judge;
  readonly attempts: Pick<Attempts, "of">;
  /** Receipts of ids that are known, by `receiptKey`. Undefined: not read yet. */
  readonly known: ReadonlyMap<string, Receipt> | undefined;
  /** The transition of the batch's only submission, when the log had to be read for it. */
  readonly computed?: Computed | undefined;
  /** What the things of the thread are called, where a submission is based on an older version. */
  readonly names?: BatchNames | undefined;
  /** Bytes that one append takes. */
  readonly mostBytes: number;
  readonly remembered: Remembered;
  /** Where several submissions are judged without need of the states in between. */
  readonly copies?: SharedCopies | undefined;
}

/**
 * One judgement. `entry` must be stored first. `receipt` holds an earlier verdict, given again.
 */
export type Judgement =
  | {
      readonly kind: "committed";
      readonly entry: Entry;
      readonly commit: Commit;
      readonly confirmed: Confirmed;
      /** The names after it, where they were needed. */
      readonly named: NamedState | undefined;
    }
  | { readonly kind: "unchanged"; readonly entry: Entry; readonly version: number }
  | { readonly kind: "refused"; readonly entry: Entry; readonly refusal: Refusal; readonly attemptKey: string }
  | { readonly kind: "known"; readonly receipt: Receipt }
  /** It leaves no trace but the count of attempts. */
  | {
      readonly kind: "notFinal";
      readonly version: number;
      readonly rejection: Rejection;
      readonly attempt: number;
      readonly attemptKey: string;
    };

/**
 * The actor and id that the effect of a submission is remembered by. A refusal is always remembered
 * by the submission's own, so that it hinders no other actor.
 */
export function receiptOwner({ dedupeKey, actor, id }: Pick<ParsedSubmission, "dedupeKey" | "actor" | "id">): {
  readonly actor: Actor;
  readonly id: string;
} {
  return dedupeKey ?? { actor, id };
}

/** The actors and ids that it may be remembered by: by its own when it was refused. */
export function receiptOwners(
  submission: Pick<ParsedSubmission, "dedupeKey" | "actor" | "id">,
): readonly { readonly actor: Actor; readonly id: string }[] {
  const { dedupeKey, actor, id } = submission;
  return dedupeKey === undefined ? [{ actor, id }] : [dedupeKey, { actor, id }];
}

/** Judges the submissions of one batch. */
export interface BatchJudge {
  /** Called with each submission, in their order. */
  judge(submission: ParsedSubmission): Judgement;
  /** The batch is judged: from here on its states may be looked at. */
  end(): void;
}

export function createBatchJudge(definition: AnyDefinition, context: BatchContext): BatchJudge {
  let { confirmed, version } = context;
  /** The present state. With `copies` it is written to until the end of the batch. */
  let { state } = confirmed;
  let newest: LaterState | undefined;
  const { copies, remembered } = context;
  const receipts = new Map(context.known);
  const counted = new Map<string, number>();

  function judge(submission: ParsedSubmission): Judgement {
    const { actor, id, hash, origin, at, expectedVersion, basedOn, operation: update } = submission;
    const owner = receiptOwner(submission);
    const key = receiptKey(owner.actor, owner.id);
    // Its own refusal stays, whatever became of the effect since.
    const receipt = receipts.get(receiptKey(actor, id)) ?? receipts.get(key);
    if (receipt !== undefined)
      return receipt.hash === hash || receipt.hash === ERASED_HASH
        ? { kind: "known", receipt }
        : refuse(submission, reused(id, update));
    const fault = tooOld(submission, remembered);
    if (fault !== undefined) return refuse(submission, fault);
    const entryBasis = based(newSince(submission, remembered));
    if (expectedVersion !== undefined && expectedVersion !== version)
      return refuse(submission, moved("expectedVersion", expectedVersion, version, update));
    if (basedOn !== undefined && basedOn > version)
      return refuse(submission, moved("basedOn", basedOn, version, update));
    if (submission.unreadable !== undefined) return refuse(submission, submission.unreadable);
    const next = context.computed?.transition ?? context.judge(state, update, { actor, id: owner.id, at }, copies);
    if (!next.accepted) return refuse(submission, next.rejection);
    const isIdle = next.patches.length === 0 && context.computed?.records !== true;
    const proposed = context.computed?.proposed;
    const held = basedOn === undefined ? undefined : context.names?.hold(submission, state, next, proposed);
    if (held?.rejection !== undefined) return refuse(submission, held.rejection);
    if (isIdle) {
      const entry: Entry = { receipt: { ...owner, hash, outcome: { accepted: true, version } }, ...entryBasis };
      receipts.set(key, entry.receipt);
      return { kind: "unchanged", entry, version };
    }
    const sentence = describeOperation(definition.model, innerOperation(next.operation), state);
    const { patches, inverse } = next;
    const commit: Commit = {
      version: version + 1,
      id: owner.id,
      operation: next.operation,
      ...(sentence === undefined ? {} : { sentence }),
      actor,
      at,
      ...origin,
      patches,
      inverse,
      definitionVersion: definition.version,
    };
    const outcome = { accepted: true, version: commit.version } as const;
    const entry: Entry = { receipt: { ...owner, hash, outcome }, commit, ...entryBasis };
    const { mostBytes } = context;
    const bytes = mostBytes === Infinity ? 0 : boundedBytes(entry, mostBytes);
    if (bytes > mostBytes) {
      // The copies have it already: they are made anew from the state before it.
      copies?.clear();
      ({ state } = confirmed);
      return refuse(submission, tooLarge(bytes, mostBytes, update));
    }
    deepFreeze(commit, definition.model.freeze);
    ({ version } = commit);
    ({ state } = next);
    receipts.set(key, entry.receipt);
    const named = context.names?.add(commit, next.state, held?.after);
    if (copies === undefined) confirmed = { state, isValid: true };
    else confirmed = newest = new LaterState(definition, confirmed, commit);
    return { kind: "committed", entry, commit, confirmed, named };
  }

  function refuse(submission: ParsedSubmission, why: Rejection): Judgement {
    const { actor, id, hash, origin, at, operation: update } = submission;
    const counter = attemptKey(actor, hash, why);
    const attempt = (counted.get(counter) ?? context.attempts.of(counter)) + 1;
    counted.set(counter, attempt);
    if (!isFinal(why)) return { kind: "notFinal", version, rejection: why, attempt, attemptKey: counter };
    const operation = cutOperation(update, why.operation.type, hash);
    const refusal: Refusal = { id, operation, actor, at, ...origin, version, rejection: why, attempt };
    const receipt: Receipt = { actor, id, hash, outcome: { accepted: false, refusal } };
    receipts.set(receiptKey(actor, id), receipt);
    return {
      kind: "refused",
      entry: { receipt, ...based(newSince(submission, remembered)) },
      refusal,
      attemptKey: counter,
    };
  }

  return {
    judge,
    end() {
      copies?.clear();
      newest?.is(state);
    },
  };
}

function based(version: number | undefined): { readonly basedOn?: number } {
  return version === undefined ? {} : { basedOn: version };
}

function tooLarge(bytes: number, most: number, update: unknown): Rejection {
  const message = `What this changes takes ${bytes} bytes in the log, which takes ${most} at once. Do it in smaller operations.`;
  return rejection("too_large", typeOf(update), message, { details: { bytes, most } });
}

/** One id is for one operation. */
export function reused(id: string, update: unknown): Rejection {
  return rejection(
    "conflict",
    typeOf(update),
    `The id "${id}" was used for another operation before. Send this one under an id of its own.`,
    { path: "/id" },
  );
}

function moved(member: "expectedVersion" | "basedOn", expected: number, version: number, update: unknown): Rejection {
  const message =
    member === "basedOn"
      ? `The state is at version ${version}: there is no version ${expected} that this could be based on. Read it again.`
      : `The state is at version ${version}, not ${expected} as expected. Read it again, then send what still holds.`;
  return rejection("conflict", typeOf(update), message, { path: `/${member}`, details: { expected, version } });
}
