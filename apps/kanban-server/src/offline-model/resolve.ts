// Looks up names and queries of a request on the board. An unknown name stays: the board refuses it
// and says what exists.
//
// (Long because every form of a name is looked up here, one after the other.)

import { defined } from "@opstate/core";
import {
  type Board,
  type Card,
  cardName,
  type Column,
  findColumn,
  findColumnByTitle,
  isLikeWord,
  LIMITS,
  nearest,
  noCard,
  spelled,
  tellingWords,
  wordsIn,
} from "@opstate/kanban-domain";
import type { CardQuery, CardSet, Position } from "./intent.ts";
import { capital } from "./words/capital.ts";
import { CARD_ID, cleanName } from "./reading/card-phrase.ts";
import { names } from "./reading/names.ts";
import { columnAt } from "./reading/ordinals.ts";
import { columnName } from "./reading/place-phrase.ts";

export interface Found {
  readonly cardId: string;
  /** Absent if the board has no such card. */
  readonly column?: Column;
  /** The card, if the name is only a part of its title. */
  readonly guessed?: Card;
}

/** The id of a column, from a title or an id. */
export const columnId = (board: Board, name: string): string =>
  columnNamed(board, name)?.columnId ?? name.slice(0, LIMITS.id);

export function columnNamed(board: Board, name: string): Column | undefined {
  const plain = spelled(name);
  const alike = (column: Column) =>
    plain !== "" && (spelled(column.title) === plain || spelled(column.columnId) === plain);
  return (
    findColumnByTitle(board, name) ??
    findColumn(board, name) ??
    board.columns.find(alike) ??
    // "progress"
    board.columns.find(({ title }) => plain !== "" && spelled(title) === `in${plain}`) ??
    board.columns[columnAt(name, board.columns.length) ?? -1]
  );
}

/** "dark mode and keyboard shortcuts" are two cards, and "in Backlog and Review" is in either. */
export function apart(board: Board, queries: readonly CardQuery[]): readonly CardQuery[] {
  return queries.flatMap((query): readonly CardQuery[] => {
    if (query.by === "name") {
      const parts = query.isAbout === true || cardNamed(board, query.name).column ? [] : names(query.name);
      const isEach = parts.length > 1 && parts.every((name) => cardNamed(board, cleanName(name)).column);
      return isEach ? parts.map((name) => ({ ...query, name: cleanName(name) })) : [query];
    }
    const parts = query.column === undefined || columnNamed(board, query.column) ? [] : names(query.column);
    const columns = parts.map((name) => columnNamed(board, columnName(name)));
    return parts.length > 1 && query.by === "all" && columns.every((column) => column !== undefined)
      ? columns.map(({ title }) => ({ ...query, column: title }))
      : [query];
  });
}

/** A question's set with its words spelt as the board has them: nothing is changed on a guess. */
export function asMeant(board: Board, set: CardSet): CardSet {
  const { state, column } = set;
  const near = column === undefined || columnNamed(board, column) ? undefined : nearest(column, board.columns, titleOf);
  const placed = near ? { ...set, column: near.title } : set;
  if (state === undefined || stateNamed(board, state)) return placed;
  if (/^(?:(?:of )?high[- ](?:prio(?:rity)?)|important|pressing|(?:the )?most important)$/i.test(state))
    return { ...placed, state: "urgent" };
  if (/^(?:(?:of )?low[- ](?:prio(?:rity)?)|unimportant|minor|not (?:so )?important)$/i.test(state))
    return { ...placed, state: "least urgent" };
  const meant = nearest(state, [...STATES, ...board.columns.map(titleOf)], (each) => each);
  if (meant !== undefined) return { ...placed, state: meant };
  // "the settings cards"
  const isInTitles = !/\s/.test(state) && cardsOf(board, { by: "all", about: state }).length > 0;
  const { state: _, ...others } = placed;
  return isInTitles && set.about === undefined ? { ...others, about: state } : placed;
}

const STATES = ["urgent", "done", "finished", "open", "started"];
const titleOf = ({ title }: Column): string => title;

/** The cards of a query, in the board's order. */
export function cardsOf(board: Board, query: CardQuery): readonly Found[] {
  if (query.by === "name") return [query.isAbout === true ? cardAbout(board, query) : cardNamed(board, query.name)];
  const within = query.column === undefined ? undefined : columnNamed(board, query.column);
  if (query.column !== undefined && !within) return [];
  const columns = within ? [within] : board.columns;
  if (query.by === "place") {
    const { place, count, skip = 0 } = query;
    return columns
      .filter((column) => column.cards.length > 0)
      .slice(place === "last" ? -1 : 0, place === "last" ? undefined : 1)
      .flatMap((column) => {
        const length = column.cards.length;
        if (place === "middle")
          return length % 2 === 0 ? [] : found(column, column.cards.slice((length - 1) / 2, (length + 1) / 2));
        const [from, to] = place === "first" ? [skip, skip + count] : [length - skip - count, length - skip];
        return found(column, column.cards.slice(Math.max(0, from), Math.max(0, to)));
      });
  }
  const isInState = query.state === undefined ? undefined : stateNamed(board, query.state);
  if (query.state !== undefined && !isInState) return [];
  const left = new Set(
    query.except?.flatMap((each) =>
      typeof each === "string" ? cardNamed(board, each).cardId : cardsOf(board, each).map(({ cardId }) => cardId),
    ),
  );
  return columns.flatMap((column) =>
    found(
      column,
      column.cards.filter(
        (card) => fits(card, query) && !left.has(card.cardId) && (isInState === undefined || isInState(card, column)),
      ),
    ),
  );
}

type State = (card: Card, column: Column) => boolean;

const NOT =
  /^(?:(?:not|never|non|aren't|isn't)(?: yet| been)?[ -](.+?)(?: yet| so far)?|un(done|finished|completed|started)|in(complete))$/i;
const OPEN = /^(?:open|remaining|left|outstanding|pending|to be done|not yet done)(?: to do| over)?$/i;
const MOST_URGENT =
  /^(?:(?:the )?(?:most )?(?:urgent|pressing)|critical|(?:(?:of|with) )?(?:the )?(?:top|highest)[- ]priority)$/i;
const LEAST_URGENT = /^(?:(?:the )?least (?:urgent|important)|(?:(?:of|with) )?(?:the )?lowest[- ]priority)$/i;
const STARTED = /^(?:started|ongoing|current|being worked on|worked on|in work|active|underway)$/i;
const NOT_STARTED = /^(?:to[- ]?do|planned|waiting)$/i;

/** What "done", "urgent" or "unfinished" means on this board; undefined if nothing. */
export function stateNamed(board: Board, state: string): State | undefined {
  const column = columnOfState(board, state);
  if (column) return (_, each) => each === column;
  const [, not, un, into] = NOT.exec(state) ?? [];
  const opposite = not ?? un ?? into;
  if (opposite !== undefined) {
    // What is not started stands in the first column.
    if (STARTED.test(opposite)) return (_, each) => each === board.columns[0];
    const is = stateNamed(board, opposite);
    return is && ((card, each) => !is(card, each));
  }
  if (OPEN.test(state)) return stateNamed(board, "not done");
  if (MOST_URGENT.test(state)) return ({ priority }) => priority === 1;
  if (LEAST_URGENT.test(state)) return ({ priority }) => priority === 4;
  const doing = columnOfState(board, "in progress");
  const [, waiting] = /^(?:waiting|ready|up) for (?:the )?(.+)$/i.exec(state) ?? [];
  if (waiting !== undefined) return stateNamed(board, waiting);
  if (STARTED.test(state) && doing) return (_, each) => each === doing;
  if (NOT_STARTED.test(state) && board.columns.length > 0) return (_, each) => each === board.columns[0];
  // "urgent open", "open urgent"
  const [first = "", ...rest] = state.split(/[\s,]+(?:and\s+)?/i);
  const [one, other] = rest.length === 0 ? [] : [stateNamed(board, first), stateNamed(board, rest.join(" "))];
  return one && other && ((card, each) => one(card, each) && other(card, each));
}

const fits = ({ title, priority }: Card, query: CardSet): boolean =>
  (query.priority === undefined || priority === query.priority) &&
  (query.about === undefined || hasWords(title, query.about) || meansTitle(title, query.about));

/** Why it is unclear which cards a query means, in a sentence; undefined if it is clear. */
export function unclearIn(board: Board, query: CardQuery): string | undefined {
  // "T-1 to Review, add a card" is no card of a column.
  if (query.by === "name" && query.column !== undefined && /[,;]|\b(?:to|into|and)\b/.test(query.column)) {
    if (!columnNamed(board, query.column)) return noColumn(board, query.column);
  }
  if (query.by === "name" && query.isAbout === true) return strangeSubject(board, query);
  if (query.by === "name") return strangeCard(board, query.name);
  if (query.column !== undefined && !columnNamed(board, query.column)) return noColumn(board, query.column);
  if (query.by === "place")
    return query.place === "middle" && cardsOf(board, query).length === 0
      ? "No card is in the middle. Which card do you mean?"
      : undefined;
  if (query.state !== undefined && !stateNamed(board, query.state))
    return `I do not know which cards '${query.state}' are.`;
  const fitting = cardsOf(board, query);
  const number = fitting.length;
  if (query.isPart === true) return "Which of these cards do you mean?";
  if (query.count === 1 && number > 1) return `Several cards are meant: ${cardNames(board, fitting)}. Say which one.`;
  if (query.count === 1 && number === 0) return "There is no such card.";
  if (query.count !== undefined && number !== query.count)
    return `You say ${query.count} cards, and there are ${number}. Do you mean all of them?`;
  for (const each of query.except ?? []) {
    const why =
      typeof each !== "string"
        ? (unclearIn(board, each) ??
          (each.by === "all" && each.about !== undefined && cardsOf(board, each).length === 0
            ? `There is no card about '${each.about}'.`
            : undefined))
        : cardNamed(board, each).column
          ? guessAt(board, each)
          : columnNamed(board, columnName(each))
            ? `'${columnName(each)}' is a column. Do you mean everything in it?`
            : `I do not know which cards '${each}' are.`;
    if (why !== undefined) return why;
  }
  return undefined;
}

export const ANY_CARD =
  /^(?:(?:the|a|one|some|my|that|this)\s+)?(?:(?:next|other|right)\s+)?(?:card|task|ticket|item)$|^(?:the\s+)?(?:next|other|right)(?:\s+one)?$/i;

/** Why a name is not a card's. The board itself refuses an id that does not exist. */
export function strangeCard(board: Board, name: string): string | undefined {
  if (ANY_CARD.test(name)) return "Which card do you mean?";
  if (cardNamed(board, name).column) return guessAt(board, name);
  const column = columnNamed(board, columnName(name));
  if (column) return `'${column.title}' is a column. Do you mean everything in ${column.title}?`;
  const columns = names(name).map((each) => columnNamed(board, columnName(each)));
  if (columns.length > 1 && columns.every((each) => each !== undefined))
    return `These are columns. Do you mean everything in ${columns.map(titleOf).join(", ")}?`;
  return CARD_ID.test(name) || /^[a-z]{1,10}\d{1,9}$/i.test(name) ? undefined : capital(noCard(board, name));
}

/**
 * Why a name is not a column's, if it contains a column's name: "Done tomorrow". The board itself
 * refuses other names.
 */
export function strangeColumn(board: Board, name: string): string | undefined {
  const isMore = !columnNamed(board, name) && board.columns.some(({ title }) => hasWords(name, title));
  return isMore ? noColumn(board, name) : undefined;
}

export const noColumn = (board: Board, name: string): string =>
  `There is no column '${name}'. Columns: ${board.columns.map(({ title }) => title).join(", ") || "none"}.`;

/** A question back, if the name is one word of a title. */
function guessAt(board: Board, name: string): string | undefined {
  const { guessed } = cardNamed(board, name);
  if (guessed === undefined || tellingWords(name).length > 1) return undefined;
  return `Do you mean ${cardName(guessed)}?`;
}

/** "done cards" are those of the column Done, or of one called Completed. */
export function columnOfState(board: Board, state: string): Column | undefined {
  const alike = [isDone, isInWork].find((is) => is(state));
  return columnNamed(board, state) ?? (alike && board.columns.find(({ title }) => alike(title)));
}

const isInWork = (name: string): boolean => /^(?:in[- ])?(?:progress|work)$|^doing$|^wip$/i.test(name.trim());
const isDone = (name: string): boolean => /^(?:done|completed?|finished)$/i.test(name.trim());

/** The columns of a query with more cards than the model was shown. */
export function cutColumns(board: Board, name?: string): readonly Column[] {
  const within = name === undefined ? undefined : columnNamed(board, name);
  return (within ? [within] : board.columns).filter(({ cards, cardCount }) => cards.length < cardCount);
}

/** By id, by title, or by some words of a title that only one card has. */
export function cardNamed(board: Board, name: string): Found {
  const plain = spelled(name);
  const all = board.columns.flatMap((column) => column.cards.map((card) => ({ card, column })));
  const exact =
    all.find(({ card }) => card.cardId === name) ??
    (plain === "" ? undefined : all.find(({ card }) => spelled(card.cardId) === plain)) ??
    (/^#?\d{1,9}$/.test(name.trim()) ? all.find(({ card }) => spelled(card.cardId) === `t${plain}`) : undefined) ??
    titled(all, name, plain);
  const isPart = plain.length >= 3 && !/^t\d+$/.test(plain) && !columnNamed(board, name);
  const whole = isPart ? all.filter(({ card }) => hasWords(card.title, name)) : [];
  const partial = whole.length > 0 || !isPart ? whole : all.filter(({ card }) => meansTitle(card.title, name));
  const hit = exact ?? (partial.length === 1 ? partial[0] : undefined);
  return hit
    ? { cardId: hit.card.cardId, column: hit.column, ...defined({ guessed: exact ? undefined : hit.card }) }
    : { cardId: name.slice(0, LIMITS.id) };
}

/** "the card with the drak mode": each word that means something is in the title, or nearly. */
function meansTitle(title: string, name: string): boolean {
  const words = tellingWords(name);
  const present = wordsIn(title);
  return words.length > 0 && words.every((word) => present.some((each) => isLikeWord(word, each)));
}

/** The only card whose title has these words, or else contains them. */
function cardAbout(board: Board, query: CardQuery & { readonly by: "name" }): Found {
  const [only, another] = cardsAbout(board, query);
  return only !== undefined && another === undefined
    ? { cardId: only.card.cardId, column: only.column }
    : { cardId: query.name.slice(0, LIMITS.id) };
}

/** The first five, by name. */
function cardNames(board: Board, cards: readonly Found[]): string {
  const all = cards.flatMap(({ cardId, column }) => column?.cards.find((card) => card.cardId === cardId) ?? []);
  const more = all.length > 5 ? `, and ${all.length - 5} more` : "";
  return `${all.slice(0, 5).map(cardName).join(", ")}${more}`;
}

function strangeSubject(board: Board, query: CardQuery & { readonly by: "name" }): string | undefined {
  const about = cardsAbout(board, query);
  if (about.length === 1) return undefined;
  if (about.length === 0) return `There is no card about '${query.name}'.`;
  const found = about.map(({ card, column }) => ({ cardId: card.cardId, column }));
  return `Several cards are about '${query.name}': ${cardNames(board, found)}. Say which one.`;
}

function cardsAbout(board: Board, { name, column }: CardQuery & { readonly by: "name" }) {
  const within = column === undefined ? undefined : columnNamed(board, column);
  const columns = within ? [within] : board.columns;
  const all = columns.flatMap((each) => each.cards.map((card) => ({ card, column: each })));
  const whole = all.filter(({ card }) => hasWords(card.title, name));
  if (whole.length > 0) return whole;
  const meant = all.filter(({ card }) => meansTitle(card.title, name));
  return meant.length > 0 ? meant : all.filter(({ card }) => spelled(card.title).includes(spelled(name)));
}

/** The card with a title; undefined if several have it. */
function titled(all: readonly { readonly card: Card; readonly column: Column }[], name: string, plain: string) {
  const alike = all.filter(({ card }) => (plain === "" ? card.title === name : spelled(card.title) === plain));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Whether a title has these words, whole and in this order: "one" is not in "Phone". */
function hasWords(title: string, words: string): boolean {
  const wanted = wordsIn(words).join(" ");
  return wanted !== "" && ` ${wordsIn(title).join(" ")} `.includes(` ${wanted} `);
}

/** An index among named things; undefined means the end, which is the default. */
export function indexOf(position: Position | undefined, names: readonly (readonly string[])[]): number | undefined {
  if (position === undefined || position === "last" || typeof position === "number")
    return position === "last" ? undefined : position;
  const index = anchorIndex(position, names);
  return index === -1 ? undefined : "before" in position ? index : index + 1;
}

/** The name that a position refers to, if it does not exist. */
export function unknownAnchor(
  position: Position | undefined,
  names: readonly (readonly string[])[],
): string | undefined {
  if (typeof position !== "object" || anchorIndex(position, names) !== -1) return undefined;
  return "before" in position ? position.before : position.after;
}

function anchorIndex(position: Exclude<Position, number | "last">, names: readonly (readonly string[])[]): number {
  const anchor = spelled("before" in position ? position.before : position.after);
  return names.findIndex((each) => each.some((name) => spelled(name) === anchor));
}

const found = (column: Column, cards: readonly Card[]): readonly Found[] =>
  cards.map(({ cardId }) => ({ cardId, column }));
