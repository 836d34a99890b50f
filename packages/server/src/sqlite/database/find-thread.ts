// The rows of one thread, found by its id or its key.

import type { Actor, Refusal } from "@opstate/core";
import type { Receipt, ThreadInfo } from "@opstate/core/log";
import { parse } from "../../log/document.ts";
import { type Row, threadInfoOf } from "../../log/rows.ts";
import type { Statements } from "./statements.ts";
import type { SnapshotRow, ThreadKey } from "./store.ts";

export interface Found {
  readonly key: number;
  readonly info: ThreadInfo;
}

export function infoOf(row: Row): ThreadInfo {
  return threadInfoOf(row, String(row["thread_id"]));
}

/** The thread of the name, of the given incarnation if there is one. */
export function findThread(sql: Statements, { threadId, incarnation }: ThreadKey): Found | undefined {
  const row = sql.findThread.get(threadId);
  const info = row && infoOf(row);
  return info && (incarnation === undefined || incarnation === info.incarnation)
    ? { key: Number(row["key"]), info }
    : undefined;
}

/** The thread with its branches, and theirs. */
export function treeOf(sql: Statements, root: Found): readonly Found[] {
  const tree = [root];
  for (const { info } of tree)
    for (const row of sql.findBranches.all(info.threadId, info.incarnation))
      tree.push({ key: Number(row["key"]), info: infoOf(row) });
  return tree;
}

export function receiptOf(sql: Statements, key: number, actor: Actor, id: string): Receipt | undefined {
  const accepted = sql.findReceipt.get(key, actor.kind, actor.id, id);
  if (accepted)
    return {
      actor,
      id,
      hash: String(accepted["hash"]),
      outcome: { accepted: true, version: Number(accepted["version"]) },
    };
  const refused = sql.findRefusal.get(key, actor.kind, actor.id, id);
  return (
    refused && {
      actor,
      id,
      hash: String(refused["hash"]),
      outcome: { accepted: false, refusal: parse<Refusal>(refused["document"]) },
    }
  );
}

export function snapshotBefore(sql: Statements, key: number, version: number): SnapshotRow | undefined {
  const row = sql.findSnapshot.get(key, version);
  return (
    row && {
      version: Number(row["version"]),
      definitionVersion: Number(row["definition_version"]),
      state: String(row["state"]),
    }
  );
}
