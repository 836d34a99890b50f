// What both databases store in the same columns, and reading rows page by page.

import type { StoredSnapshot, ThreadInfo, ThreadParent } from "@opstate/core/log";
import { parse } from "./document.ts";

export type Row = Readonly<Record<string, unknown>>;

/** `threadId` is given apart, since the databases store ids in different ways. */
export function threadInfoOf(row: Row, threadId: string): ThreadInfo {
  const parent = row["parent"];
  return {
    threadId,
    definition: String(row["definition"]),
    version: Number(row["version"]),
    floor: Number(row["floor"]),
    createdAt: String(row["created_at"]),
    incarnation: String(row["incarnation"]),
    ...(Number(row["receipt_floor"] ?? 0) === 0 ? {} : { receiptFloor: Number(row["receipt_floor"]) }),
    ...(typeof parent === "string" ? { parent: parse<ThreadParent>(parent) } : {}),
  };
}

export function snapshotOf(row: Row): StoredSnapshot {
  return {
    version: Number(row["version"]),
    state: parse(row["state"]),
    definitionVersion: Number(row["definition_version"]),
  };
}

/** Roughly, of a row without documents. */
export function bytesOf(row: Row): number {
  return Buffer.byteLength(JSON.stringify(row));
}

/** Reads pages until one is empty. `read` gets the last row of the page before. */
export function* pages(read: (last: Row | undefined) => readonly Row[]): Generator<readonly Row[], void> {
  for (let rows = read(undefined); rows.length > 0; rows = read(rows.at(-1))) yield rows;
}

/** The same for a database that answers later. */
export async function* asyncPages(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) yield rows;
}
