// An operation as a sentence, for the timeline and the chat. The board's operations describe
// themselves with it, and their commits keep the text. It accepts any value, because a refused
// operation can be anything.

import type { Commit } from "@opstate/core";
import { isObject } from "@opstate/core/json";
import {
  APPROVE,
  countVersions,
  DECLINE,
  MERGE,
  PROPOSE,
  UNDO,
  type VersionRange,
  type VersionRanges,
} from "@opstate/core/log";
import { findCard, findColumn, namedCard } from "./find.ts";
import { restoredVersion } from "./restored.ts";
import type { Board } from "./schema.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * An operation as a sentence: `Move 'Dark mode' (T-2): Backlog -> In Progress`. `board` has the
 * titles of cards and columns: the state before the operation, or any later one. Without it the ids
 * are shown.
 *
 * @example
 * ```ts
 * import { board, describe, sampleBoard } from "@opstate/kanban-domain";
 *
 * describe(board.op.remove({ cardId: "T-15" }), sampleBoard); // Remove 'Keep edits made while offline' (T-15) from In Progress
 * ```
 */
export function describe(operation: unknown, board?: Board | null): string {
  if (!isObject(operation) || !(Array.isArray(operation.columns) || typeof operation.type === "string"))
    return `Not an operation: ${text(operation)}`;
  const sentence =
    typeof operation.type === "string" && Object.hasOwn(SENTENCES, operation.type)
      ? SENTENCES[operation.type]
      : undefined;
  if (sentence) return sentence(operation, board ?? { columns: [] });
  return typeof operation.type === "string" ? `Unknown operation ${quote(operation.type)}` : replacement(operation);
}

/** A commit as a sentence: the one that is stored with it, with what the log did with it before. */
export function describeCommit(commit: Pick<Commit, "id" | "operation" | "sentence">): string {
  const { operation, sentence } = commit;
  const version = restoredVersion(commit);
  if (version !== undefined) return `Restore version ${version}`;
  return sentence === undefined ? describe(operation) : `${frame({ ...operation })}${sentence}`;
}

/** What the log did with the operation inside. */
function frame({ type, anyway }: Fields): string {
  if (type === PROPOSE) return "Propose: ";
  if (type === MERGE) return "Merge: ";
  return type === APPROVE ? `Accept${anyway === true ? " anyway" : ""}: ` : "";
}

const SENTENCES: Readonly<Record<string, (operation: Fields, board: Board) => string>> = {
  move({ cardId, fromColumn, toColumn, position }, board) {
    if (cardId === undefined)
      return `Move the column ${titleOf(board, fromColumn)}${place(position, "left") || ` to the place of ${titleOf(board, toColumn)}`}`;
    const at = place(position, "top");
    const to = titleOf(board, toColumn);
    if (fromColumn !== undefined && fromColumn === toColumn) return `Move ${cardIn(board, cardId)} within ${to}${at}`;
    // The origin is the operation's `fromColumn`, else where the card is. After the move the card
    // is in its target, and the sentence has no origin.
    const from = fromColumn === undefined ? whereIs(board, cardId) : titleOf(board, fromColumn);
    return from === undefined || from === to
      ? `Move ${cardIn(board, cardId)} to ${to}${at}`
      : `Move ${cardIn(board, cardId)}: ${from} -> ${to}${at}`;
  },
  remove({ cardId, fromColumn }, board) {
    if (cardId === undefined) return `Clear ${titleOf(board, fromColumn)}`;
    const from = fromColumn === undefined ? whereIs(board, cardId) : titleOf(board, fromColumn);
    return `Remove ${cardIn(board, cardId)}${from === undefined ? "" : ` from ${from}`}`;
  },
  addCard: ({ cardId, title, columnId, position }, board) =>
    `Add ${quote(title)}${cardId === undefined ? "" : ` (${text(cardId)})`} to ${titleOf(board, columnId)}${place(position, "top")}`,
  editCard({ cardId, title, priority }, board) {
    const renamed = title === undefined ? [] : [`rename it to ${quote(title)}`];
    const ranked = priority === undefined ? [] : [`set its priority to ${text(priority)}`];
    return `Change ${cardIn(board, cardId)}: ${[...renamed, ...ranked].join(", ") || "nothing"}`;
  },
  addColumn: ({ title, position }) => `Add the column ${quote(title)}${place(position, "left")}`,
  renameColumn: ({ columnId, title }, board) => `Rename the column ${titleOf(board, columnId)} to ${quote(title)}`,
  removeColumn: ({ columnId }, board) => `Remove the column ${titleOf(board, columnId)}`,
  $replace: ({ value }) => replacement(value),
  // The log's own operations: undo, proposals, branches.
  [UNDO]: ({ versions, dropped }) =>
    `Take back ${count(countVersions(listOf(versions).filter(isRange) satisfies VersionRanges), "change")}${listOf(dropped).length === 0 ? "" : ", with what needed it"}`,
  [PROPOSE]: (fields, board) => `${frame(fields)}${describe(fields["operation"], board)}`,
  [APPROVE]: (fields, board) => `${frame(fields)}${describe(fields["operation"], board)}`,
  [MERGE]: (fields, board) => `${frame(fields)}${describe(fields["operation"], board)}`,
  [DECLINE]: ({ reason }) => `Decline a proposal${reason === undefined || reason === "" ? "" : `: ${quote(reason)}`}`,
  $batch({ operations }, board) {
    const each = listOf(operations);
    return `${count(each.length, "operation")} at once: ${each
      .slice(0, 3)
      .map((operation) => describe(operation, board))
      .join("; ")}${each.length > 3 ? "; ..." : ""}`;
  },
};

function replacement(value: unknown): string {
  if (!isObject(value) || !Array.isArray(value.columns)) return "Replace the board";
  const columns: readonly unknown[] = value.columns;
  const cards = columns.reduce<number>(
    (sum, column) => sum + (isObject(column) && Array.isArray(column.cards) ? column.cards.length : 0),
    0,
  );
  return `Replace the board: ${count(columns.length, "column")}, ${count(cards, "card")}`;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const cardIn = (board: Board, cardId: unknown): string => namedCard(board, text(cardId)) ?? text(cardId);
const titleOf = (board: Board, columnId: unknown): string => findColumn(board, text(columnId))?.title ?? text(columnId);
const whereIs = (board: Board, cardId: unknown): string | undefined => findCard(board, text(cardId))?.column.title;
const place = (position: unknown, first: string): string =>
  typeof position !== "number" ? "" : position === 0 ? ` at the ${first}` : ` at position ${position + 1}`;
const quote = (value: unknown): string => `'${text(value)}'`;
const text = (value: unknown): string =>
  typeof value === "string"
    ? cut(value)
    : Array.isArray(value)
      ? "[...]"
      : typeof value === "object" && value !== null
        ? "{...}"
        : typeof value === "function"
          ? "?"
          : String(value);
const cut = (value: string): string => (value.length > 80 ? `${value.slice(0, 79)}…` : value);
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

function isRange(value: unknown): value is VersionRange {
  if (!Array.isArray(value)) return Number.isSafeInteger(value);
  return value.length === 2 && value.every((end) => Number.isSafeInteger(end)) && value[0] <= value[1];
}
