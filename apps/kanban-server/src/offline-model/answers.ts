// Answers to questions about the board, and to requests that are not understood.

import { type Board, type Card, cardName, type Column, nearest } from "@opstate/kanban-domain";
import { shown } from "./words/card-names.ts";
import { query as inWords } from "./words/in-words.ts";
import type { CardPlace, CardSet, Question } from "./intent.ts";
import type { Exchange } from "./conversation.ts";
import { NO_BOARD, ONLY_THIS_BOARD } from "./plan.ts";
import { counted, listed } from "./report.ts";
import { capital } from "./words/capital.ts";
import {
  asMeant,
  cardNamed,
  cardsOf,
  columnNamed,
  columnOfState,
  cutColumns,
  stateNamed,
  unclearIn,
} from "./resolve.ts";

export function answer(question: Question, board: Board | null, earlier?: Exchange): string {
  if (question.about === "help") return HELP;
  if (question.about === "own") return ownDoing(earlier);
  if (board === null) return NO_BOARD;
  switch (question.about) {
    case "column":
      return columnAnswer(board, question.name) ?? cardAnswer(board, question.name);
    case "card":
      return columnNamed(board, question.name)
        ? (columnAnswer(board, question.name) ?? "")
        : cardAnswer(board, question.name);
    case "state":
      return stateAnswer(board, question.name, question.state);
    case "cards":
      return cardsAnswer(board, question.cards);
    case "columns":
      return `The columns: ${listed(board.columns.map(({ title, cardCount }) => `${title} (${cardCount})`))}.`;
    case "fullest":
      return fullest(board);
    case "next":
      return next(board);
    case "progress":
      return progress(board);
    default:
      return overview(board);
  }
}

const ownDoing = (earlier: Exchange | undefined): string =>
  earlier === undefined
    ? "I have done nothing in this conversation yet."
    : `You asked: '${earlier.request}'. ${earlier.answer === "" ? "I gave no answer." : `My answer was: ${earlier.answer}`}`;

const titleOf = ({ title }: Column): string => title;
const noun = (count: number): string => (count === 1 ? "1 card" : `${count} cards`);
const line = (card: Card, column?: Column): string =>
  `- ${cardName(card)}, ${column === undefined ? "" : `${column.title}, `}priority ${card.priority}`;

function cardsAnswer(board: Board, asked: CardSet | CardPlace): string {
  const wanted = asked.by === "all" ? asMeant(board, asked) : asked;
  const why = unclearIn(board, wanted);
  if (why !== undefined) return why;
  const found = cardsOf(board, wanted).flatMap(({ cardId, column }) => {
    const card = column?.cards.find((each) => each.cardId === cardId);
    return column && card ? [line(card, column)] : [];
  });
  const [cut] = cutColumns(board, wanted.column);
  const unsure = cut ? ` I see ${cut.cards.length} of ${cut.cardCount} cards in ${cut.title}.` : "";
  const which = inWords(wanted)
    .replace(/^(?:all|the) /, "")
    .replace(/ ?\bcards\b ?/, " cards ")
    .trim();
  if (found.length === 0) return `There are no ${which}.${unsure}`;
  const more = found.length > MAX_LINES ? [`- and ${found.length - MAX_LINES} more`] : [];
  return [
    `${found.length === 1 ? "1 card" : `${found.length} cards`} (${which}):${unsure}`,
    ...found.slice(0, MAX_LINES),
    ...more,
  ].join("\n");
}

const MAX_LINES = 20;

function stateAnswer(board: Board, name: string, state: string): string {
  const { column, cardId } = cardNamed(board, name.replace(/^the\s+/i, ""));
  const card = column?.cards.find((each) => each.cardId === cardId);
  const is = stateNamed(board, state);
  if (!column || !card) return cardAnswer(board, name);
  if (!is) return `I do not know what '${state}' means here. ${cardAnswer(board, name)}`;
  return `${is(card, column) ? "Yes" : "No"}: ${cardAnswer(board, name)}`;
}

function fullest(board: Board): string {
  const [first, ...others] = board.columns.toSorted((a, b) => b.cardCount - a.cardCount);
  if (!first) return "The board has no columns.";
  return `${first.title} has the most, ${noun(first.cardCount)}. ${others.map(({ title, cardCount }) => `${title} has ${cardCount}`).join(", ")}.`;
}

function next(board: Board): string {
  const done = columnOfState(board, "done");
  const open = board.columns
    .filter((column) => column !== done)
    .flatMap((column) => column.cards.map((card) => ({ card, column })))
    .toSorted((a, b) => a.card.priority - b.card.priority);
  const [first] = open;
  if (!first) return "Nothing is left to do.";
  const urgent = open.filter(({ card }) => card.priority === first.card.priority).slice(0, 5);
  return [
    `The most urgent open cards, with priority ${first.card.priority}:`,
    ...urgent.map(({ card, column }) => line(card, column)),
  ].join("\n");
}

function progress(board: Board): string {
  const all = board.columns.reduce((sum, { cardCount }) => sum + cardCount, 0);
  const done = columnOfState(board, "done");
  if (!done || all === 0) return overview(board);
  return `${done.cardCount} of ${noun(all)} are in ${done.title}, ${Math.round((done.cardCount / all) * 100)} %.`;
}

function overview(board: Board): string {
  if (board.columns.length === 0) return "The board is empty: it has no columns yet.";
  const urgent = cardsOf(board, { by: "all", priority: 1 }).map(
    ({ cardId, column }) => `${shown(board, cardId)} in ${column?.title ?? ""}`,
  );
  const lines = board.columns.map(({ title, cardCount }) => `- ${title}: ${cardCount}`);
  return [
    `${capital(counted(board))}:`,
    ...lines,
    ...(urgent.length === 0 ? [] : [`Priority 1: ${listed(urgent.slice(0, 10))}.`]),
  ].join("\n");
}

function columnAnswer(board: Board, name: string): string | undefined {
  const column = columnNamed(board, name) ?? columnOfState(board, name) ?? nearest(name, board.columns, titleOf);
  if (!column) return undefined;
  if (column.cardCount === 0) return `${column.title} is empty.`;
  const lines = column.cards.slice(0, MAX_LINES).map((card) => line(card));
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
  return `${cardName(card)} is in ${found.column.title}, ${index + 1} of ${found.column.cardCount}, with priority ${card.priority}.`;
}

const HELP = `I am the offline model of this demo: I know no more than this board and plain requests. For example:
- move 'dark mode' to In Progress
- move every card with priority 1 to Done
- move the first card in Backlog to the top of Review
- add a card 'Write docs' to Backlog with priority 2
- rename 'dark mode' to 'Night mode', set its priority to 1, remove it, clear Done, add a column Blocked
- move the first card in Backlog to Review, then summarise
- build a board for launching a website
- what is on the board? which cards are urgent? who moved 'dark mode'? what changed? undo that
With OPSTATE_MODEL set, a language model answers here instead.`;

/** Says which parts of a request were not understood. */
export const notUnderstood = (texts: readonly string[]): string =>
  `I did not understand ${listed(texts.map((each) => `'${each.slice(0, 80)}'`))}. ${ONLY_THIS_BOARD}`;

export const DID_NOTHING = "I did nothing. What do you want?";
