// Reads a request on the board: as it stands, or else in the first of its other wordings that is
// clear there.
//
// Invariants:
// - The same wording is read in all calls of a run: it is part of the ids of the calls.
// - What another wording names is on the board, or was written by the person.

import { type Board, nearest } from "@opstate/kanban-domain";
import type { Exchange } from "./conversation.ts";
import type { CardQuery, Intent, Step } from "./intent.ts";
import { type Obstacles, obstaclesIn } from "./obstacles.ts";
import { readingsOf } from "./grammar/grammar.ts";
import type { Mood } from "./grammar/rule.ts";
import { readClause } from "./reading/intents.ts";
import { followUps } from "./wordings/follow-ups.ts";
import { otherWords } from "./wordings/other-words.ts";
import { readCards } from "./reading/card-phrase.ts";
import { names } from "./reading/names.ts";
import { columnName } from "./reading/place-phrase.ts";
import { parseRequest } from "./reading/parse.ts";
import { maskQuotes } from "./reading/quotes.ts";
import { cardNamed, columnNamed, columnOfState } from "./resolve.ts";
import { withIds } from "./words/card-names.ts";

interface Asked {
  readonly request: string;
  /** What "it" may refer to. */
  readonly earlier: Intent | undefined;
  readonly board: Board | null;
  /** Whether the cards of a step are looked for first. */
  readonly waits: (step: Step) => boolean;
}

interface Understood extends Obstacles {
  readonly steps: readonly Step[];
  /** 0 for the request as it stands, or the place of the wording that was read. */
  readonly reading: number;
}

/** `reading` is that of the run's first call. */
export function understood({ request, earlier, board, waits }: Asked, reading?: number): Understood {
  const none: Obstacles = { obstacles: [], replies: [] };
  if (reading !== undefined) return { steps: nth(readings(request, earlier), reading), reading, ...none };
  const steps = parseRequest(request, earlier);
  const plain = obstaclesIn(steps, board, waits, request);
  const isClear = plain.obstacles.length === 0;
  if (
    board === null ||
    (isClear && steps.flat().every((intent) => isAnswered(intent, board) && isPlaced(intent, steps, board)))
  )
    return { steps, reading: 0, ...plain };
  if (steps.flat().some((intent) => intent.kind === "choose" && intent.isSupposed))
    return { steps, reading: 0, ...plain };
  let helpful: Understood | undefined;
  for (const [index, other] of entries(readings(request, earlier))) {
    const intents = other.flat();
    if (index === 0 || intents.some(({ kind }) => kind === "unknown")) continue;
    // In other words, too, a question is no wish.
    if (asks(request) && intents.some(({ kind }) => kind !== "ask" && kind !== "choose")) continue;
    const isSaid = intents.every(
      (intent) => isAnswered(intent, board) && isSure(intent, board, request, madeBy(other)),
    );
    const why = obstaclesIn(other, board, waits, request);
    if (isSaid && why.obstacles.length === 0) return { steps: other, reading: index, ...none };
    const isQuestion = intents.every(({ kind }) => kind === "choose");
    if ((isSaid || isQuestion) && why.replies.length > 0 && why.replies.every((reply) => isClearly(reply, board)))
      helpful ??= { steps: other, reading: 0, ...why };
  }
  // "Do you mean: delete the card pricng?" asks for what would be asked about again.
  const [first] = steps.flat().some(({ kind }) => kind === "choose") ? plain.replies : [];
  if (first !== undefined && plain.obstacles[0]?.startsWith("Do you mean: ") && !isClearly(first, board)) {
    const again = obstaclesIn(parseRequest(first), board, waits, first);
    if (again.replies.every((reply) => isClearly(reply, board))) return { steps, reading: 0, ...again };
  }
  const isUnknown = steps.flat().some((intent) => intent.kind === "unknown" || isGarbled(intent, board));
  return (isUnknown ? helpful : undefined) ?? { steps, reading: 0, ...plain };
}

/** A name with a comma is of more than a card or a column: the request was cut wrong. */
function isGarbled(intent: Intent, board: Board): boolean {
  const areColumns = (name: string) => names(name).every((each) => isColumn(board, columnName(each)));
  const isCut = (name: string) =>
    (name.includes(",") && !areColumns(name)) || (/ (?:to|into) /.test(name) && name.split(" ").length > 5);
  if ((intent.kind === "move" || intent.kind === "clear") && intent.column?.includes(",")) return true;
  if (intent.kind === "ask" || !("cards" in intent) || !Array.isArray(intent.cards)) return false;
  const cards: readonly CardQuery[] = intent.cards;
  return cards.some((query) => query.by === "name" && isCut(query.name));
}

/** Whether a request would be understood, in some wording of it. */
export const isUnderstood = (request: string, board: Board | null): boolean =>
  understood({ request, earlier: undefined, board, waits: () => false }).obstacles.length === 0;

/** Whether a reply would be understood as it stands. */
const isClearly = (reply: string, board: Board): boolean =>
  obstaclesIn(parseRequest(reply), board, () => false, reply).obstacles.length === 0;

/** So many readings of a clause by the grammar are tried. */
const MOST = 4;

/**
 * What a request may mean, the likeliest first, whatever the board: as it stands, then by the
 * grammar and in other words.
 */
function* readings(request: string, earlier: Intent | undefined): Generator<readonly Step[]> {
  yield parseRequest(request, earlier);
  const moods: readonly Mood[] = asks(request) ? ["wish"] : ["wish", "statement"];
  const after = followUps(request, earlier);
  for (const wording of [request, ...after, ...otherWords(request), ...after.flatMap(otherWords)]) {
    if (wording !== request) yield parseRequest(wording, earlier);
    const { text, restore } = maskQuotes(wording);
    for (const intent of readingsOf(text, moods))
      if (!("title" in intent) && intent.kind !== "addCards") yield restore([[intent]]);
    yield parseRequest(wording, earlier, (clause) => {
      const plain = readClause(clause);
      return plain === undefined || plain.kind === "choose" ? (readingsOf(clause, moods)[0] ?? plain) : plain;
    });
    for (let n = 0, most = 1; n < Math.min(most, MOST); n += 1)
      yield parseRequest(wording, earlier, (clause) => {
        const all = readingsOf(clause, moods);
        most = Math.max(most, all.length);
        return all[n] ?? all[0] ?? readClause(clause);
      });
  }
}

/** "could you move it?" is a wish. */
const asks = (request: string): boolean =>
  /\?\s*$/.test(request) && !/\b(?:can|could|would|will) (?:you|we|u)\b|\b(?:please|pls|plz)\b/i.test(request);

function* entries<Value>(values: Iterable<Value>): Generator<readonly [number, Value]> {
  let index = 0;
  for (const value of values) yield [index++, value];
}

function nth(values: Iterable<readonly Step[]>, wanted: number): readonly Step[] {
  for (const [index, value] of entries(values)) if (index === wanted) return value;
  return [];
}

/** The last intent of the conversation that "it" may refer to. */
export function subjectBefore(earlier: readonly Exchange[], board: Board | null): Intent | undefined {
  const last = earlier.at(-1);
  if (last === undefined) return undefined;
  const asked = parseRequest(withIds(last.request, board)).flat();
  // "Where should it go?" is about the cards that were named.
  const [only] = asked.length === 1 ? asked : [];
  if (only?.kind === "choose" && only.phrase !== undefined) {
    const cards = readCards(only.phrase);
    if (cards.length > 0) return { kind: "move", cards };
  }
  for (const steps of readings(withIds(last.request, board), undefined)) {
    const subject = steps.flat().find(({ kind }) => kind !== "unknown" && kind !== "talk" && kind !== "choose");
    if (subject !== undefined) return subject;
  }
  return undefined;
}

/** Whether a question is about something of the board. */
const isAnswered = (intent: Intent, board: Board): boolean =>
  intent.kind !== "ask" || intent.about !== "column" || isColumn(board, intent.name) || isCard(board, intent.name);

/** Whether cards go to a column that is there, perhaps misspelt, or is made before. */
const isPlaced = (intent: Intent, steps: readonly Step[], board: Board): boolean =>
  (intent.kind !== "move" && intent.kind !== "addCards") ||
  intent.column === undefined ||
  isColumn(board, intent.column) ||
  nearest(intent.column, board.columns, ({ title }) => title) !== undefined ||
  steps.flat().some(({ kind }) => MAKING.has(kind));
const MAKING: ReadonlySet<Intent["kind"]> = new Set(["addColumns", "rename", "build"]);

/** The columns that are made, and what they are called when that is changed. */
const madeBy = (steps: readonly Step[]): readonly string[] =>
  steps.flat().flatMap((intent) => {
    if (intent.kind === "addColumns") return intent.titles;
    return intent.kind === "rename" && intent.what !== "card" ? [intent.title] : [];
  });

/** Whether a wish has columns of the board, and titles that the person wrote. */
function isSure(intent: Intent, board: Board, request: string, made: readonly string[]): boolean {
  const isThere = (column: string): boolean => isColumn(board, column) || made.includes(column);
  switch (intent.kind) {
    case "move":
      return intent.column === undefined || isThere(intent.column);
    case "clear":
      return (
        intent.column === undefined ||
        isThere(intent.column) ||
        names(intent.column).every((name) => isThere(columnName(name)))
      );
    case "addCards":
      return (
        (intent.column === undefined || isThere(intent.column)) &&
        intent.titles.every((title) => request.includes(title))
      );
    case "addColumns":
      return intent.titles.every((title) => request.includes(title) && !isColumn(board, title));
    case "rename":
      return request.includes(intent.title) && (intent.what !== "column" || isColumn(board, intent.name));
    case "moveColumn":
    case "removeColumn":
      return isColumn(board, intent.column);
    case "build":
    case "undo":
    case "choose":
      return false;
    default:
      return true;
  }
}

const isColumn = (board: Board, name: string): boolean =>
  columnNamed(board, name) !== undefined || columnOfState(board, name) !== undefined;
const isCard = (board: Board, name: string): boolean => cardNamed(board, name).column !== undefined;
