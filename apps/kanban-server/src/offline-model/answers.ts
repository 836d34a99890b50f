// Answers to questions about the board, and to requests that are not understood.

import type { Board, Column } from "@opstate/kanban-domain";
import type { Intent } from "./intent.ts";
import { NO_BOARD } from "./plan.ts";
import { capital, counted, listed } from "./report.ts";
import { cardsOf, columnNamed, cutColumns } from "./resolve.ts";

type Question = Intent & { kind: "ask" };

export function answer(question: Question, board: Board | null): string {
  if (question.about === "help") return HELP;
  if (board === null) return NO_BOARD;
  if (!("name" in question)) return overview(board);
  return (
    (question.about === "column" ? columnAnswer(board, question.name) : undefined) ?? cardAnswer(board, question.name)
  );
}

function overview(board: Board): string {
  if (board.columns.length === 0) return "The board is empty: it has no columns yet.";
  const urgent = cardsOf(board, { by: "all", priority: 1 }).map(
    ({ cardId, column }) => `${cardId} (${column?.title ?? ""})`,
  );
  const lines = board.columns.map(
    (column) => `- ${column.title}: ${column.cardCount}${column.cards.length === 0 ? "" : ` (${cardIds(column)})`}`,
  );
  return [
    `${capital(counted(board))}:`,
    ...lines,
    ...(urgent.length === 0 ? [] : [`Priority 1: ${listed(urgent.slice(0, 10))}.`]),
  ].join("\n");
}

function columnAnswer(board: Board, name: string): string | undefined {
  const column = columnNamed(board, name);
  if (!column) return undefined;
  if (column.cardCount === 0) return `${column.title} is empty.`;
  const lines = column.cards.slice(0, 20).map((card) => `- ${card.cardId} ${card.title} (priority ${card.priority})`);
  return [
    `${column.title} holds ${column.cardCount} ${column.cardCount === 1 ? "card" : "cards"}:`,
    ...lines,
    ...(column.cardCount > lines.length ? [`- and ${column.cardCount - lines.length} more`] : []),
  ].join("\n");
}

function cardAnswer(board: Board, name: string): string {
  const [found] = cardsOf(board, { by: "name", name });
  const index = found?.column?.cards.findIndex((card) => card.cardId === found.cardId) ?? -1;
  const card = found?.column?.cards[index];
  if (!found?.column || !card)
    return cutColumns(board).length > 0
      ? `I do not see '${name}', but the board is too large for me to see whole.`
      : `There is no '${name}' on the board. Columns: ${board.columns.map((column) => column.title).join(", ") || "none"}.`;
  return `${card.cardId} '${card.title}' is in ${found.column.title}, ${index + 1} of ${found.column.cardCount}, with priority ${card.priority}.`;
}

const cardIds = ({ cards, cardCount }: Column): string =>
  `${cards
    .slice(0, 6)
    .map((card) => card.cardId)
    .join(", ")}${cardCount > 6 ? ", ..." : ""}`;

const HELP = `I am the offline model of this demo: I know no more than this board and plain requests. For example:
- move T-42 to In Progress
- move every card with priority 1 to Done
- move the first card in Backlog to the top of Review
- add a card 'Write docs' to Backlog with priority 2
- rename T-3 to 'Shortcuts', set priority of T-3 to 1, remove T-15, clear Done, add a column Blocked
- move T-1 to In Progress, then T-2 to Review, then summarise
- build a board for launching a website
- what is on the board? what changed? undo that
With OPSTATE_MODEL set, a language model answers here instead.`;

/** Says which parts of a request were not understood. */
export function notUnderstood(texts: readonly string[]): string {
  const archive = texts.some((text) => /\barchiv/i.test(text))
    ? ["This board has no archive: a card can be moved or removed."]
    : [];
  return [`I did not understand ${listed(texts.map((each) => `'${each.slice(0, 80)}'`))}.`, ...archive].join(" ");
}

export const DID_NOTHING = `I did nothing. I can move, add, rename, prioritise and remove cards and columns, build a board, tell what changed, and take back my last run ('undo that'). Name a card by its id or its title, as in 'remove T-15'; 'help' shows more. What do you want?`;
