// The format of an export: one JSON object in a line (NDJSON), each with one key that says what it
// is.
//
//   { "opstate": { "format": 1 } }
//   { "thread":    { threadId, definition, version, floor, createdAt, incarnation, parent?, ... } }
//   { "start":     { version: <the floor>, definitionVersion, state } }
//   { "forgotten": <receipt> }            of commits at or below the floor
//   { "entry":     { receipt, commit } }  above the floor, by version
//   { "commit":    <commit> }             the same, where its receipt is gone (`receiptFloor`)
//   { "unchanged": <receipt> }            accepted without a commit
//   { "refusal":   <receipt> }            oldest first
//   { "snapshot":  { version, ... } }     newest first
//   { "threadEnd": { threadId, commits } }
//   { "discard":   { threadId } }         instead of threadEnd: it was deleted meanwhile
//   { "end":       { threads } }
//
// Invariant: without its last line an export is not complete, and `restoreLog` says so.

import type { Commit } from "@opstate/core";
import type { Entry, Receipt, StoredSnapshot, ThreadInfo } from "@opstate/core/log";

/** Raised when lines change their meaning. New kinds of lines do not raise it. */
export const FORMAT = 1;

export type Line =
  | { readonly opstate: { readonly format: number } }
  | { readonly thread: ThreadInfo }
  | { readonly start: StoredSnapshot }
  | { readonly forgotten: Receipt }
  | { readonly entry: Entry }
  | { readonly commit: Commit }
  | { readonly unchanged: Receipt }
  | { readonly refusal: Receipt }
  | { readonly snapshot: StoredSnapshot }
  | { readonly threadEnd: { readonly threadId: string; readonly commits: number } }
  | { readonly discard: { readonly threadId: string } }
  | { readonly end: { readonly threads: number } };

/** How far a pass over a log is. */
export interface Progress {
  readonly threads: number;
  readonly commits: number;
}

export type OnProgress = (progress: Progress) => void;
