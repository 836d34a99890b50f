// The board's refusals. Each has a stable reason, a sentence that says what was wrong and what
// exists, and details for a program or a model. Lists are short: a rejection is at most 2 KB.

import type { ApplyContext } from "@opstate/core";
import { noCard } from "./cards-like.ts";
import { findColumnByTitle, namedCard } from "./find.ts";
import { type Board, type Column, sameTitle } from "./schema.ts";

/** Why a board operation can be refused. */
export type BoardReason =
  | "board_full"
  | "card_elsewhere"
  | "card_not_found"
  | "column_exists"
  | "column_not_empty"
  | "column_not_found"
  | "incomplete";

type Reject = ApplyContext["reject"];
/** What was not done: "moved", "removed". */
type Verb = string;

const MAX_LISTED = 12;

export function refuse(
  reject: Reject,
  reason: BoardReason,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): void {
  reject(reason, message, details);
}

export function columnNotFound(reject: Reject, verb: Verb, board: Board, columnId: string): void {
  const titled = findColumnByTitle(board, columnId);
  refuse(
    reject,
    "column_not_found",
    `Not ${verb}: ${titled ? isTitle(columnId, "column", titled.columnId) : `there is no column '${columnId}'. ${existing(board)}`}`,
    {
      columnId,
      columns: board.columns.slice(0, MAX_LISTED).map(({ columnId, title }) => ({ columnId, title })),
    },
  );
}

export function cardNotFound(reject: Reject, verb: Verb, board: Board, cardId: string): void {
  const cards = board.columns.flatMap((column) => column.cards.slice(0, MAX_LISTED + 1));
  const titled = cards.find((card) => sameTitle(card.title) === sameTitle(cardId));
  const none = cards.length === 0 ? " The board has no cards." : "";
  refuse(
    reject,
    "card_not_found",
    `Not ${verb}: ${titled ? isTitle(cardId, "card", titled.cardId) : `${noCard(board, cardId)}${none}`}`,
    {
      cardId,
      cards: cards.slice(0, MAX_LISTED).map((card) => card.cardId),
    },
  );
}

export function cardElsewhere(reject: Reject, verb: Verb, cardId: string, actual: Column, expected: Column): void {
  const card = namedCard({ columns: [actual] }, cardId) ?? cardId;
  refuse(reject, "card_elsewhere", `Not ${verb}: ${card} is in '${actual.title}', not in '${expected.title}'.`, {
    cardId,
    columnId: actual.columnId,
    title: actual.title,
  });
}

const existing = ({ columns }: Board): string =>
  columns.length === 0 ? "The board has no columns yet." : `Columns: ${list(columns.map((column) => column.title))}.`;
const isTitle = (name: string, kind: "card" | "column", id: string): string =>
  `'${name}' is a title; the id of that ${kind} is '${id}'.`;
const list = (names: readonly string[]): string =>
  names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(", ")} and more` : names.join(", ");
