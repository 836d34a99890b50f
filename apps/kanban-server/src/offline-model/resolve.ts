// Names and queries of a request looked up on the board. A name that fits nothing stays as it is: the board then refuses it and says what exists.

import { type Board, type Card, type Column, findColumn, findColumnByTitle, limits } from "@opstate/kanban-domain";
import type { CardQuery, Position } from "./intent.ts";

export interface Found {
  readonly cardId: string;
  /** Absent when the board has no such card. */
  readonly column?: Column;
}

/** The id of the column that a person means by a title or an id. */
export const columnId = (board: Board, name: string): string => columnNamed(board, name)?.columnId ?? name.slice(0, limits.id);

export function columnNamed(board: Board, name: string): Column | undefined {
  const plain = spelled(name);
  return (
    findColumnByTitle(board, name) ??
    findColumn(board, name) ??
    board.columns.find((column) => spelled(column.title) === plain || spelled(column.columnId) === plain)
  );
}

/** The cards that a query means, in the board's order. */
export function cardsOf(board: Board, query: CardQuery): readonly Found[] {
  if (query.by === "name") return [cardNamed(board, query.name)];
  const within = query.column === undefined ? undefined : columnNamed(board, query.column);
  if (query.column !== undefined && !within) return [];
  const columns = within ? [within] : board.columns;
  if (query.by === "place") {
    return columns
      .filter((column) => column.cards.length > 0)
      .slice(query.place === "first" ? 0 : -1, query.place === "first" ? 1 : undefined)
      .flatMap((column) => found(column, query.place === "first" ? column.cards.slice(0, query.count) : column.cards.slice(-query.count)));
  }
  return columns.flatMap((column) =>
    found(column, query.priority === undefined ? column.cards : column.cards.filter((card) => card.priority === query.priority)),
  );
}

/** A large board is not shown whole: the columns that a query is about and that hold more cards than are seen. */
export function cutColumns(board: Board, name?: string): readonly Column[] {
  const within = name === undefined ? undefined : columnNamed(board, name);
  return (within ? [within] : board.columns).filter(({ cards, cardCount }) => cards.length < cardCount);
}

/** By id, by title, or by a part of a title that only one card has. */
function cardNamed(board: Board, name: string): Found {
  const plain = spelled(name);
  const all = board.columns.flatMap((column) => column.cards.map((card) => ({ card, column })));
  const exact =
    all.find(({ card }) => card.cardId === name) ??
    all.find(({ card }) => spelled(card.cardId) === plain) ??
    all.find(({ card }) => spelled(card.title) === plain);
  const partial = plain.length < 3 || /^t\d+$/.test(plain) ? [] : all.filter(({ card }) => spelled(card.title).includes(plain));
  const hit = exact ?? (partial.length === 1 ? partial[0] : undefined);
  return hit ? { cardId: hit.card.cardId, column: hit.column } : { cardId: name.slice(0, limits.id) };
}

/** An index among `count` things, named by `nameAt`; undefined means the end, which is the default. */
export function indexOf(position: Position | undefined, names: readonly (readonly string[])[]): number | undefined {
  if (position === undefined || position === "last" || typeof position === "number") return position === "last" ? undefined : position;
  const anchor = spelled("before" in position ? position.before : position.after);
  const index = names.findIndex((each) => each.some((name) => spelled(name) === anchor));
  return index === -1 ? undefined : "before" in position ? index : index + 1;
}

const found = (column: Column, cards: readonly Card[]): readonly Found[] => cards.map(({ cardId }) => ({ cardId, column }));

/** Case, spaces and dashes make no difference to a person. */
export const spelled = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
