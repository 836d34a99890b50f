// All receipts of a thread in pages: those of accepted submissions by actor and id, then those of
// refused ones by their place.

import type { Refusal } from "@opstate/core";
import type { Page, PageOptions, Receipt } from "@opstate/core/log";
import { cutPage, pageLimits } from "@opstate/core/log/storage";
import { parse } from "../../log/document.ts";
import { bytesOf, type Row } from "../../log/rows.ts";
import type { Statements } from "./statements.ts";

/** After an actor's receipt, or after a refusal's place. */
type Cursor = readonly [string, string, string] | readonly [number];

/** `key`: undefined for a thread that is not there. */
export function readReceipts(sql: Statements, key: number | undefined, range: PageOptions): Page<Receipt> {
  const limits = pageLimits(range);
  if (key === undefined) return { items: [] };
  const cursor: Cursor = range.cursor === undefined ? ["", "", ""] : parse<Cursor>(range.cursor);
  const most = limits.limit === Infinity ? -1 : limits.limit + 1;
  const accepted = cursor.length === 3 ? sql.readReceipts.all(key, ...cursor, most) : [];
  const refused =
    most >= 0 && accepted.length >= most
      ? []
      : sql.readRefusedReceipts.all(key, cursor.length === 1 ? cursor[0] : 0, most);
  return cutPage<Row, Receipt>([...accepted, ...refused], limits, {
    bytes: bytesOf,
    item: receiptOf,
    cursor: (row) =>
      JSON.stringify(
        row["sequence"] === undefined ? [row["actor_kind"], row["actor_id"], row["id"]] : [row["sequence"]],
      ),
  });
}

function receiptOf(row: Row): Receipt {
  const { actor_kind: kind, actor_id: actorId, id, hash, version, document } = row;
  return {
    actor: { kind: String(kind), id: String(actorId) },
    id: String(id),
    hash: String(hash),
    outcome:
      document === undefined
        ? { accepted: true, version: Number(version) }
        : { accepted: false, refusal: parse<Refusal>(document) },
  };
}
