// Why a request cannot be started, and what a person may answer.

import { answerInEnglish } from "@opstate/chat-model/talk.ts";
import { type Board, spelled } from "@opstate/kanban-domain";
import { notUnderstood } from "./answers.ts";
import { guesses, leavesOut } from "./guesses.ts";
import type { CardQuery, Intent, Step } from "./intent.ts";
import { planStep } from "./plan.ts";
import { quotedIn } from "./reading/quotes.ts";
import { swallowsPlace, withoutInstead, withoutPlace } from "./reading/swallowed.ts";
import { mendedRequests, repliesToUnknown, understoodPart } from "./replies.ts";
import { cardNamed, cardsOf, columnNamed, cutColumns, unclearIn } from "./resolve.ts";
import { shown, withNames } from "./words/card-names.ts";
import { requestFor } from "./words/in-words.ts";

export interface Obstacles {
  readonly obstacles: readonly string[];
  readonly replies: readonly string[];
}

/**
 * Why a request cannot be started, one sentence each: words that are unclear, or unknown names. A
 * step that `waits` for cards to be found may still be clear.
 */
export function obstaclesIn(
  steps: readonly Step[],
  board: Board | null,
  waits: (step: Step) => boolean,
  request: string,
): Obstacles {
  const unknown = steps.flat().flatMap((intent) => (intent.kind === "unknown" ? intent.text : []));
  if (unknown.length > 0) {
    const language = answerInEnglish(request);
    const bare = board === null ? undefined : bareName(request, board);
    if (bare) return bare;
    const { obstacles, replies } = notWhole(steps, unknown, board);
    return { obstacles: language === undefined ? obstacles : [language], replies };
  }
  const [strangeTitle] = steps
    .flat()
    .flatMap(titlesOf)
    .flatMap((title) => strangeIn(title) ?? []);
  if (strangeTitle !== undefined) return { obstacles: [strangeTitle], replies: [] };
  const swallowed = board === null ? undefined : swallowedPlace(steps, board, quotedIn(request));
  if (swallowed) return swallowed;
  const elsewhere = board === null ? [] : notThere(steps, board);
  if (elsewhere.length > 0) return { obstacles: elsewhere, replies: [] };
  // Later steps may name what this step creates.
  const making = steps.findIndex((step) => step.some(({ kind }) => MAKING_KINDS.has(kind)));
  const known = making === -1 ? steps : steps.slice(0, making + 1);
  const plans = known.flatMap((step) => (waits(step) ? [] : planStep(step, board)));
  const strange = board === null ? [] : strangeLater(steps.slice(known.length), board, steps);
  if (strange.length > 0) return { obstacles: strange, replies: [] };
  const offered = plans.flatMap(({ replies = [] }) => replies);
  const obstacles = plans.flatMap(({ unclear }) => unclear);
  const language = obstacles.length > 0 ? answerInEnglish(request) : undefined;
  return {
    obstacles: language === undefined ? obstacles : [language],
    replies: offered.length > 0 || board === null ? offered : mendedRequests(steps, board),
  };
}

/** What is asked back where parts are unknown: whether to do the rest, or what they may mean. */
function notWhole(steps: readonly Step[], unknown: readonly string[], board: Board | null): Obstacles {
  const text = unknown.join(" ");
  const part = leavesOut(text) ? undefined : understoodPart(steps);
  const guessed = board === null || part !== undefined ? [] : guesses(text, board);
  const [guess] = guessed;
  return {
    obstacles: [guess === undefined ? notUnderstood(unknown) : meant(guess, board)],
    replies: repliesToUnknown(text, part === undefined ? guessed : [part], board),
  };
}

const meant = (guess: string, board: Board | null): string =>
  `I am not sure. Do you mean: ${withNames(guess.slice(0, 1).toLowerCase() + guess.slice(1), board)}?`;

/** What is asked back if a title that is not quoted names a place: it may not be of the title. */
function swallowedPlace(steps: readonly Step[], board: Board, quoted: readonly string[]): Obstacles | undefined {
  const columns = board.columns.map(({ title }) => title);
  for (const intent of steps.flat())
    for (const title of titlesOf(intent)) {
      if (quoted.includes(title) || !swallowsPlace(title, columns)) continue;
      const place = withoutPlace(title, columns);
      const meant: readonly Intent[] = [
        ...(intent.kind === "addCards" && intent.column === undefined && intent.titles.length === 1 && place
          ? [{ ...intent, titles: [place.title], column: place.column }]
          : []),
        ...(intent.kind === "rename" && withoutInstead(title) !== title
          ? [{ ...intent, title: withoutInstead(title) }]
          : []),
        intent,
      ];
      return {
        obstacles: [`Is '${title}' the whole title? A part of it may say where.`],
        replies: meant.flatMap(
          (other) => requestFor(steps.map((step) => step.map((each) => (each === intent ? other : each)))) ?? [],
        ),
      };
    }
  return undefined;
}

/** "T-1 in Review and T-2 to Done": a card that is not where one of several is said to be. */
const notThere = (steps: readonly Step[], board: Board): readonly string[] =>
  steps.flat().flatMap((intent) => {
    const cards: readonly CardQuery[] =
      intent.kind !== "ask" && "cards" in intent && Array.isArray(intent.cards) ? intent.cards : [];
    return cards.length < 2
      ? []
      : cards.flatMap((query) => {
          const place =
            query.by === "name" && query.column !== undefined ? columnNamed(board, query.column) : undefined;
          const [found] = cardsOf(board, query);
          return place === undefined || found?.column === undefined || found.column === place
            ? []
            : [`${shown(board, found.cardId)} is not in ${place.title}.`];
        });
  });

/** What later steps name must be there, or be made by the request. */
function strangeLater(later: readonly Step[], board: Board, steps: readonly Step[]): readonly string[] {
  const intents = steps.flat();
  if (intents.some(({ kind }) => kind === "build") || cutColumns(board).length > 0) return [];
  const made = intents.flatMap(titlesOf);
  return later.flat().flatMap((intent) => {
    const cards: readonly CardQuery[] =
      intent.kind !== "ask" && "cards" in intent && Array.isArray(intent.cards) ? intent.cards : [];
    return cards.flatMap((query) =>
      query.by !== "name" || (query.column === undefined && made.some((title) => isPartOf(query.name, title)))
        ? []
        : (unclearIn(board, query) ?? []),
    );
  });
}

/** What is asked about a title that is none, or two. */
function strangeIn(title: string): string | undefined {
  if (/^[\s'"“”‘’]*$/u.test(title)) return "A title has at least one letter. What should it be called?";
  // "a card for the blog post and another one for the newsletter"
  return /\band (?:another|one more)(?: one| card)? (?:for|about|called|named)\b/i.test(title)
    ? "Are these two cards?"
    : undefined;
}

const isPartOf = (name: string, title: string): boolean => title.toLowerCase().includes(name.toLowerCase());

/** The titles that a wish gives to cards and columns. */
function titlesOf(intent: Intent): readonly string[] {
  if (intent.kind === "addCards" || intent.kind === "addColumns") return intent.titles;
  return intent.kind === "rename" ? [intent.title] : [];
}

/** What is asked back if a request is only the name of a column or a card. */
function bareName(request: string, board: Board): Obstacles | undefined {
  const column = board.columns.find(({ title }) => spelled(title) === spelled(request));
  if (column)
    return {
      obstacles: [`'${column.title}' is a column. What shall I do with it?`],
      replies: [`What is in ${column.title}?`, `Clear ${column.title}`],
    };
  const { cardId, column: place, guessed } = cardNamed(board, request.replace(/[.!?\s]+$/, ""));
  return place && guessed === undefined
    ? {
        obstacles: [`What shall I do with ${shown(board, cardId)}?`],
        replies: [`Where is ${cardId}?`, `Make ${cardId} urgent`, `What happened to ${cardId}?`],
      }
    : undefined;
}

const MAKING_KINDS: ReadonlySet<Intent["kind"]> = new Set(["addCards", "addColumns", "build", "rename"]);
