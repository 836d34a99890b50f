// What a person may answer to a question: two or three whole requests, shown as buttons. The model
// offers them with a tool, as any model can.

import { defined } from "@opstate/core";
import { type Board, cardsLike, findCard } from "@opstate/kanban-domain";
import type { CardQuery, Intent, Step } from "./intent.ts";
import { requestFor } from "./words/in-words.ts";
import { names } from "./reading/names.ts";
import { columnName } from "./reading/place-phrase.ts";
import { withoutCommands } from "./reading/spelling.ts";
import { ANY_CARD, asMeant, cardsOf, columnNamed, columnOfState, strangeCard, unclearIn } from "./resolve.ts";

export const OFFER_REPLIES = "offerReplies";

const MOST = 3;
const ALWAYS = ["What is on the board?", "What changed?", "What can you do?"];

/** The first three, filled up to two. */
export function atMostThree(replies: readonly string[]): readonly string[] {
  const own = [...new Set(replies)].slice(0, MOST);
  return own.length >= 2
    ? own
    : [...own, ...ALWAYS.filter((each) => !own.includes(each))].slice(0, own.length === 0 ? MOST : 2);
}

/** Answers to "I did not understand": what is likely meant, and what the text may be about. */
export function repliesToUnknown(text: string, likely: readonly string[], board: Board | null): readonly string[] {
  if (board === null) return atMostThree(likely.length === 0 ? ["Build a board for launching a website"] : likely);
  const named = [...text.matchAll(/\bt-?(\d+)\b/gi)].flatMap(([, n]) => {
    const place = findCard(board, `T-${n}`);
    return place ? [place.column.cards[place.index]] : [];
  });
  const [card] = [...named, ...cardsLike(board, withoutCommands(text))];
  const column = board.columns.find(({ title }) => text.toLowerCase().includes(title.toLowerCase()));
  return atMostThree([
    ...likely,
    ...(card === undefined ? [] : [`Where is ${card.cardId}?`, `What happened to ${card.cardId}?`]),
    ...(column === undefined ? [] : [`What is in ${column.title}?`]),
  ]);
}

/** What was understood beside the unknown parts, as a request; undefined if nothing was. */
export function understoodPart(steps: readonly Step[]): string | undefined {
  const understood = steps
    .map((step) => step.flatMap((intent) => (intent.kind === "unknown" ? (intent.besides ?? []) : [intent])))
    .filter((step) => step.length > 0);
  return understood.length > 0 ? requestFor(understood) : undefined;
}

/** The same request with what is unclear in one intent replaced by what it may mean. */
export function mendedRequests(steps: readonly Step[], board: Board): readonly string[] {
  for (const [n, step] of steps.entries())
    for (const [i, intent] of step.entries()) {
      const mended = mendings(intent, board);
      if (mended.length === 0) continue;
      const requests = mended.flatMap(
        (other) =>
          requestFor(
            steps.map((each, m) =>
              each.map((old, j) => (m === n && j === i ? other : (onlyMeaning(old, board) ?? old))),
            ),
          ) ?? [],
      );
      return requests.slice(0, MOST);
    }
  return [];
}

/** What an unclear intent means where it can mean but one thing. */
function onlyMeaning(intent: Intent, board: Board): Intent | undefined {
  const [only, another] = mendings(intent, board);
  return another === undefined ? only : undefined;
}

function mendings(intent: Intent, board: Board): readonly Intent[] {
  if ("cards" in intent && Array.isArray(intent.cards) && intent.kind !== "ask") {
    const cards: readonly CardQuery[] = intent.cards;
    const at = cards.findIndex((query) => unclearIn(board, query) !== undefined);
    const unclear = cards[at];
    if (unclear !== undefined)
      return meanings(unclear, board).map((other) => ({
        ...intent,
        cards: cards.map((query, i) => (i === at ? other : query)),
      }));
  }
  if (
    intent.kind === "rename" &&
    intent.what !== "column" &&
    !columnNamed(board, intent.name) &&
    strangeCard(board, intent.name) !== undefined
  )
    return cardsLike(board, intent.name)
      .slice(0, MOST)
      .map(({ cardId }) => ({ ...intent, what: "card", name: cardId }));
  if (intent.kind === "clear" && intent.column !== undefined && !columnNamed(board, intent.column))
    return columnsLike(board, intent.column).map((column) => ({ ...intent, column }));
  if (
    (intent.kind === "move" || intent.kind === "addCards") &&
    intent.column !== undefined &&
    !columnNamed(board, intent.column)
  )
    return columnsLike(board, intent.column).map((column) => ({ ...intent, column }));
  return [];
}

/** What a query of cards may mean. */
function meanings(query: CardQuery, board: Board): readonly CardQuery[] {
  if (query.by === "name") {
    if (ANY_CARD.test(query.name))
      return board.columns
        .flatMap(({ cards }) => cards.slice(0, 1))
        .map(({ cardId }) => ({ by: "name", name: cardId }));
    const column = columnNamed(board, columnName(query.name));
    if (column) return [{ by: "all", column: column.title }];
    const columns = names(query.name).flatMap((name) => columnNamed(board, columnName(name)) ?? []);
    const titles = columns.map(({ title }) => title);
    if (titles.length > 1) return [titles.join(" and "), ...titles].map((each) => ({ by: "all", column: each }));
    return cardsLike(board, query.name)
      .slice(0, MOST)
      .map(({ cardId }) => ({ by: "name", name: cardId }));
  }
  if (query.column !== undefined && !columnNamed(board, query.column))
    return columnsLike(board, query.column).map((column) => ({ ...query, column }));
  if (query.by !== "all") return [];
  if (query.count === 1 || query.isPart === true) {
    const { isPart: _, ...set } = query;
    return cardsOf(board, set)
      .slice(0, MOST)
      .map(({ cardId }) => ({ by: "name", name: cardId }));
  }
  const { state, count, ...plain } = query;
  const uncounted = { ...plain, ...defined({ state }) };
  if (count !== undefined && unclearIn(board, uncounted) === undefined) return [uncounted];
  const left = query.except?.map((each) => {
    const column = typeof each === "string" ? columnNamed(board, columnName(each)) : undefined;
    return column ? ({ by: "all", column: column.title } as const) : each;
  });
  if (left?.some((each, index) => each !== query.except?.[index])) return [{ ...query, except: left }];
  const meant = asMeant(board, query);
  if (meant.state !== state) return [meant];
  if (/\b(?:high|top|important|urgent)\b/i.test(state ?? "")) return [1, 2].map((priority) => ({ ...plain, priority }));
  if (/\b(?:low|unimportant|minor)\b/i.test(state ?? "")) return [4, 3].map((priority) => ({ ...plain, priority }));
  return [];
}

/** The columns that a wrong name contains or resembles, else all but the last. */
function columnsLike(board: Board, name: string): readonly string[] {
  const titles = board.columns.map(({ title }) => title);
  const named = titles.filter((title) => name.toLowerCase().includes(title.toLowerCase()));
  const state = columnOfState(board, name)?.title;
  return (named.length > 0 ? named : state === undefined ? titles.toReversed() : [state]).slice(0, MOST);
}

/** Answers to a refusal that a person can get past. */
export function repliesToRefusal(
  { name, args }: { readonly name: string; readonly args: Readonly<Record<string, unknown>> },
  reason: string | undefined,
  board: Board,
): readonly string[] {
  const cardId = typeof args["cardId"] === "string" ? args["cardId"] : undefined;
  const column = text(args["columnId"] ?? args["fromColumn"]);
  const title = columnNamed(board, column)?.title ?? column;
  if (reason === "column_not_found" && name === "move" && cardId !== undefined) {
    const to = text(args["toColumn"]);
    const here = findCard(board, cardId)?.column.title;
    const others = board.columns.map((each) => each.title).filter((each) => each !== here);
    return [
      `Add a column ${to}, then move ${cardId} to ${to}`,
      ...others.slice(0, 2).map((each) => `Move ${cardId} to ${each}`),
    ];
  }
  if (reason === "column_not_empty") return [`Clear ${title}, then delete the ${title} column`, `What is in ${title}?`];
  if (reason === "nothing_to_undo") return ["What changed?", "What is on the board?"];
  if (reason === "column_exists") return [`What is in ${text(args["title"])}?`];
  return [];
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
