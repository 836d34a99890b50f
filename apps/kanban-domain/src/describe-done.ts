// What an operation did, in the past tense, with the titles of cards and columns. It follows a
// name: `ada moved "Send invoices" to Done`. It accepts any value, as `describe` does.

import { describe } from "./describe.ts";
import { findCard, findColumn } from "./find.ts";
import type { Board } from "./schema.ts";
import { countUndone } from "./undone.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * @example
 * ```ts
 * import { board, describeDone, sampleBoard } from "@opstate/kanban-domain";
 *
 * describeDone(board.op.remove({ cardId: "T-11" }), sampleBoard); // removed "Export as CSV"
 * ```
 */
export function describeDone(operation: unknown, before: Board | null): string {
  const board = before ?? { columns: [] };
  if (typeof operation !== "object" || operation === null) return "changed something";
  const fields: Fields = { ...operation };
  const { type } = fields;
  if (Array.isArray(fields["columns"])) return "replaced the board";
  const say = typeof type === "string" && Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : undefined;
  return say ? say(fields, board) : `did this: ${describe(operation, board)}`;
}

const SENTENCES: Readonly<Record<string, (fields: Fields, board: Board) => string>> = {
  move: ({ cardId, fromColumn, toColumn }, board) =>
    cardId === undefined
      ? `moved the column ${column(board, fromColumn)}`
      : toColumn === undefined || toColumn === columnOf(board, cardId)
        ? `moved ${card(board, cardId)} within its column`
        : `moved ${card(board, cardId)} to ${column(board, toColumn)}`,
  remove: ({ cardId, fromColumn }, board) =>
    cardId === undefined ? `cleared ${column(board, fromColumn)}` : `removed ${card(board, cardId)}`,
  addCard: ({ title, columnId }, board) => `added ${quote(title)} to ${column(board, columnId)}`,
  editCard({ cardId, title, priority }, board) {
    const renamed = title === undefined ? [] : [`renamed ${card(board, cardId)} to ${quote(title)}`];
    const ranked =
      priority === undefined
        ? []
        : [`set the priority of ${title === undefined ? card(board, cardId) : "it"} to ${text(priority)}`];
    return [...renamed, ...ranked].join(" and ") || `edited ${card(board, cardId)}`;
  },
  addColumn: ({ title }) => `added the column ${quote(title)}`,
  renameColumn: ({ columnId, title }, board) => `renamed the column ${column(board, columnId)} to ${quote(title)}`,
  removeColumn: ({ columnId }, board) => `removed the column ${column(board, columnId)}`,
  $replace: () => "replaced the board",
  $undo: ({ versions }) => `took back ${count(countUndone(versions), "change")}`,
  $approve: ({ operation }, board) => `accepted a proposal: ${describe(operation, board)}`,
  $merge: ({ operation }, board) => `merged from a branch: ${describe(operation, board)}`,
  $batch: ({ operations }) => `made ${count(Array.isArray(operations) ? operations.length : 1, "change")} as one`,
};

function card(board: Board, cardId: unknown): string {
  const found = findCard(board, text(cardId));
  return quote(found?.column.cards[found.index]?.title ?? cardId);
}

const columnOf = (board: Board, cardId: unknown): string | undefined => findCard(board, text(cardId))?.column.columnId;
const column = (board: Board, columnId: unknown): string => findColumn(board, text(columnId))?.title ?? text(columnId);
const quote = (value: unknown): string => `"${text(value)}"`;
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
const text = (value: unknown): string => {
  const all = typeof value === "string" || typeof value === "number" ? String(value) : "?";
  return all.length > 80 ? `${all.slice(0, 79)}…` : all;
};
