// What is stored of a thread, without what an actor wrote. Ids, actors, versions, types and codes
// stay.

import { defined } from "../../defined.ts";
import { type Actor, sameActor } from "../../engine/actor.ts";
import type { AnyOperation } from "../../engine/operation.ts";
import type { Rejection } from "../../engine/rejection/rejection.ts";
import type { Commit, Refusal } from "../commit.ts";
import {
  type ApproveOperation,
  isApprove,
  isDecline,
  isMerge,
  isMigrate,
  isPropose,
  isRedact,
  isUndo,
  type MergeOperation,
  type ProposeOperation,
} from "../entries.ts";
import type { Patch } from "../../patch/index.ts";
import { ERASED_HASH } from "../log/operation-hash.ts";
import type { Receipt } from "../log/log.ts";
import { typeOf } from "../type-of.ts";
import type { Blanks } from "./blanks.ts";

const MESSAGE = "What this said was erased.";

/** What of a commit may hold what an actor wrote: texts, numbers, and names in its places. */
export function contentOf({ operation, sentence, patches, inverse }: Commit): unknown {
  const all = [sentence, placesOf(patches), placesOf(inverse)];
  if (isUndo(operation)) return [...all, operation.replayed?.map((replayed) => placesOf(replayed.patches))];
  if (isDecline(operation)) return [...all, operation.reason];
  if (isPropose(operation)) {
    const previous = operation.previous.map(({ path, value, element }) => [path.split("/"), value, element]);
    return [...all, inputOf(operation.operation), placesOf(operation.patches), previous];
  }
  if (isApprove(operation) || isMerge(operation)) return [...all, inputOf(operation.operation)];
  return isEntry(operation) ? all : [...all, inputOf(operation)];
}

function placesOf(patch: Patch): unknown {
  return patch.map((step) => [
    step.path.split("/"),
    "from" in step ? step.from.split("/") : "",
    "value" in step ? step.value : "",
  ]);
}

/** The values of its input. The names are the definition's. */
function inputOf(operation: AnyOperation): unknown {
  const { type: _, ...input } = operation;
  const { operations }: { readonly operations?: unknown } = input;
  return Array.isArray(operations) ? operations.map(inputOf) : Object.values(input);
}

export function blankCommit(commit: Commit, blanks: Blanks): Commit {
  const { sentence, ...rest } = commit;
  const isKept = sentence !== undefined && !blanks.holds(sentence);
  return {
    ...rest,
    ...(isKept ? { sentence } : {}),
    operation: blankOperation(commit.operation, blanks),
    patches: blanks.patch(commit.patches),
    inverse: blanks.patch(commit.inverse),
  };
}

function blankOperation(operation: AnyOperation, blanks: Blanks): AnyOperation {
  if (isUndo(operation))
    return {
      ...operation,
      ...defined({
        replayed: operation.replayed?.map(({ version, patches }) => ({ version, patches: blanks.patch(patches) })),
      }),
    };
  if (isPropose(operation)) {
    const proposed: ProposeOperation = {
      ...operation,
      operation: blanks.operation(operation.operation),
      patches: blanks.patch(operation.patches),
      previous: operation.previous.map((place) => ({ ...blanks.value(place), path: place.path })),
    };
    return proposed;
  }
  if (isApprove(operation) || isMerge(operation)) {
    const done: ApproveOperation | MergeOperation = {
      ...operation,
      operation: blanks.operation(operation.operation),
    };
    return done;
  }
  if (isDecline(operation)) return { ...operation, ...defined({ reason: blanks.value(operation.reason) }) };
  return isEntry(operation) ? operation : blanks.operation(operation);
}

function isEntry(operation: AnyOperation): boolean {
  return (
    isUndo(operation) ||
    isPropose(operation) ||
    isApprove(operation) ||
    isMerge(operation) ||
    isDecline(operation) ||
    isMigrate(operation) ||
    isRedact(operation)
  );
}

/**
 * Of the actor's own refusal only codes and types stay. Of another actor's, all stays that has
 * nothing of what the actor wrote.
 */
export function blankRefusal(refusal: Refusal, actor: Actor, blanks: Blanks): Refusal {
  const { operation, rejection } = refusal;
  if (sameActor(refusal.actor, actor))
    return { ...refusal, operation: { type: typeOf(operation) }, rejection: codeOf(rejection) };
  const said = { ...rejection, code: "", reason: "", operation: "" };
  return {
    ...refusal,
    operation: blanks.operation(operation),
    rejection: blanks.holds(said) ? codeOf(rejection) : rejection,
  };
}

function codeOf({ code, reason, operation }: Rejection): Rejection {
  return { code, ...defined({ reason }), message: MESSAGE, operation: { type: operation.type } };
}

/** An id keeps its verdict, whatever is sent under it. */
export function blankReceipt(receipt: Receipt, actor: Actor, blanks: Blanks): Receipt {
  const { outcome } = receipt;
  const hash = sameActor(receipt.actor, actor) ? ERASED_HASH : receipt.hash;
  if (outcome.accepted) return { ...receipt, hash };
  return { ...receipt, hash, outcome: { accepted: false, refusal: blankRefusal(outcome.refusal, actor, blanks) } };
}
