// An entry in its stored form, made at the time of the call, and its receipt.

import type { Refusal } from "@opstate/core";
import type { Entry, Receipt } from "@opstate/core/log";
import { type StoredCommit, storedCommit } from "./stored-commit.ts";
import { parse, stringify } from "../log/document.ts";
import type { Row } from "../log/rows.ts";
import { escapeId, unescapeId } from "./stored-id.ts";

/** A row of the receipts. Exactly one of `version` and `refusal` is null. */
export interface StoredReceipt {
  readonly actorKind: string;
  readonly actorId: string;
  readonly id: string;
  readonly hash: string;
  readonly version: number | null;
  readonly refusal: string | null;
}

export interface StoredEntry extends StoredReceipt {
  readonly commit?: StoredCommit;
}

export function storedEntry({ receipt, commit }: Entry): StoredEntry {
  const { actor, id, hash, outcome } = receipt;
  return {
    actorKind: escapeId(actor.kind),
    actorId: escapeId(actor.id),
    id: escapeId(id),
    hash: escapeId(hash),
    version: outcome.accepted ? outcome.version : null,
    refusal: outcome.accepted ? null : stringify(outcome.refusal),
    ...(outcome.accepted && commit ? { commit: storedCommit(commit) } : {}),
  };
}

export function storedReceipt(row: Row): StoredReceipt {
  return {
    actorKind: String(row["actor_kind"]),
    actorId: String(row["actor_id"]),
    id: String(row["id"]),
    hash: String(row["hash"]),
    version: row["version"] === null ? null : Number(row["version"]),
    refusal: typeof row["refusal"] === "string" ? row["refusal"] : null,
  };
}

export function receiptOf({ actorKind, actorId, id, hash, version, refusal }: StoredReceipt): Receipt {
  return {
    actor: { kind: unescapeId(actorKind), id: unescapeId(actorId) },
    id: unescapeId(id),
    hash: unescapeId(hash),
    outcome: version === null ? { accepted: false, refusal: parse<Refusal>(refusal) } : { accepted: true, version },
  };
}

/** One text per actor and id. An escaped id has no bare quote, so no two keys are equal. */
export function storedReceiptKey({ actorKind, actorId, id }: StoredReceipt): string {
  return `${actorKind}"${actorId}"${id}`;
}
