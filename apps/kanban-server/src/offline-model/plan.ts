// Turns intents into tool calls for the current board.
// (Long because each kind of wish has its case.)

import { defined } from "@opstate/core";
import { type Board, type Card, cardsLike, findCard, nearest, noCard } from "@opstate/kanban-domain";
import { capital } from "./words/capital.ts";
import { shown, withNames } from "./words/card-names.ts";
import { boardAbout } from "./content.ts";
import type { CardQuery, Intent, Question, Step } from "./intent.ts";
import { listed } from "./report.ts";
import { cleanName, readCards, readSet } from "./reading/card-phrase.ts";
import { COLUMN } from "./reading/choices.ts";
import { names } from "./reading/names.ts";
import { columnName } from "./reading/place-phrase.ts";
import {
  apart,
  asMeant,
  cardNamed,
  cardsOf,
  columnId,
  columnNamed,
  columnOfState,
  cutColumns,
  type Found,
  indexOf,
  noColumn,
  strangeCard,
  strangeColumn,
  unclearIn,
  unknownAnchor,
} from "./resolve.ts";

/** A tool and its arguments. */
export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The calls of one step, and notes about intents that need no call. */
export interface Plan {
  readonly calls: readonly Call[];
  readonly notes: readonly string[];
  /** What is unclear about the step, one sentence each. Then there are no calls. */
  readonly unclear: readonly string[];
  /** What a person may answer to what is unclear: whole requests. */
  readonly replies?: readonly string[];
}

export const ONLY_THIS_BOARD = "I help only with this board.";
export const NO_BOARD =
  "There is no board yet. Ask me to build one, for example: build a board for launching a website.";

/** The most calls in one step, so that a person can read what it did. */
const MAX_CALLS = 40;

export function planStep(step: Step, board: Board | null): Plan {
  const { calls, notes, unclear, replies = [] } = together(step.map((intent) => planIntent(intent, board)));
  if (unclear.length > 0) return { calls: [], notes: [], unclear, replies };
  if (calls.length <= MAX_CALLS) return { calls, notes, unclear };
  return {
    unclear,
    calls: calls.slice(0, MAX_CALLS),
    notes: [...notes, `These are ${calls.length} changes; I make ${MAX_CALLS} at a time. Ask again for the rest.`],
  };
}

function planIntent(read: Intent, board: Board | null): Plan {
  const intent: Intent =
    board !== null && read.kind !== "ask" && "cards" in read && Array.isArray(read.cards)
      ? { ...read, cards: apart(board, read.cards) }
      : read;
  if (intent.kind === "build") return calls({ name: "buildBoard", args: boardAbout(intent.topic, intent.columns) });
  if (intent.kind === "ask" && intent.about === "changes") return planLookUp(intent, board);
  if (intent.kind === "ask" && intent.about === "cards" && board !== null) {
    const why = unclearIn(board, intent.cards.by === "all" ? asMeant(board, intent.cards) : intent.cards);
    return why === undefined ? NOTHING : unclear(why, ONLY_THIS_BOARD);
  }
  if (intent.kind === "ask" && (intent.about === "card" || intent.about === "state") && board !== null)
    return planCardQuestion(intent.name, board);
  if (intent.kind === "undo") return calls({ name: "takeBack", args: {} });
  if (intent.kind === "ask" || intent.kind === "unknown" || intent.kind === "talk") return NOTHING;
  if (board === null) return note(NO_BOARD);
  if (intent.kind === "moveColumn" || intent.kind === "removeColumn") {
    const isNear = columnNamed(board, intent.column) ?? nearest(intent.column, board.columns, titleOf);
    if (isNear === undefined) return unclear(noColumn(board, intent.column));
  }
  switch (intent.kind) {
    case "move":
      return planMove(intent, board);
    case "moveColumn":
      return planMoveColumn(intent, board);
    case "swap":
      return planSwap(intent, board);
    case "sort":
      return planSort(intent, board);
    case "choose":
      return planChoice(intent, board);
    case "remove":
      return planRemove(intent, board);
    case "clear":
      return planClear(intent, board);
    case "addCards":
      return planAddCards(intent, board);
    case "rename":
      return planRename(intent, board);
    case "prioritise":
      return eachCard(board, intent.cards, "change", ({ cardId }) => ({
        name: "editCard",
        args: { cardId, priority: intent.priority },
      }));
    case "reprioritise":
      return eachCard(board, intent.cards, "change", ({ cardId }) => {
        const priority = (cardOf(board, cardId)?.priority ?? 0) + intent.by;
        return priority < 1 || priority > 4 ? undefined : { name: "editCard", args: { cardId, priority } };
      });
    case "addColumns": {
      const anchor = unknownAnchor(intent.position, board.columns.map(namesOf));
      if (anchor !== undefined) return unclear(`There is no column '${anchor}' to put it beside.`);
      const at = indexOf(intent.position, board.columns.map(namesOf));
      return calls(
        ...intent.titles.map((title, i) => ({
          name: "addColumn",
          args: { title, ...defined({ position: at === undefined ? undefined : at + i }) },
        })),
      );
    }
    case "removeColumn":
      return calls({ name: "removeColumn", args: { columnId: columnId(board, intent.column) } });
  }
}

function planMove(asked: Intent & { kind: "move" }, board: Board): Plan {
  const intent = besideCard(asked, board);
  const state = intent.column === undefined ? undefined : columnOfState(board, intent.column);
  const to = state?.columnId ?? (intent.column === undefined ? undefined : columnId(board, intent.column));
  const target = to === undefined ? undefined : columnNamed(board, to);
  const goes = new Set(intent.cards.flatMap((query) => cardsOf(board, query)).map(({ cardId }) => cardId));
  // A card that is moved within its column leaves its place first.
  const others = (target?.cards ?? []).filter(({ cardId }) => !goes.has(cardId));
  const beside = others.map((card) => [card.cardId, card.title]);
  const anchor = unknownAnchor(intent.position, beside);
  if (anchor !== undefined)
    return unclear(`There is no card '${anchor}' in ${target?.title ?? "that column"} to put it beside.`);
  const at = indexOf(intent.position, beside);
  // The board itself refuses one card to an unknown column. Several cards get one sentence.
  if (
    intent.column !== undefined &&
    !target &&
    intent.cards.some(({ by }) => by !== "name") &&
    !nearest(intent.column, board.columns, titleOf)
  )
    return unclear(noColumn(board, intent.column));
  const strange = intent.column === undefined || target ? undefined : strangeColumn(board, intent.column);
  if (strange !== undefined) return unclear(strange);
  // A card that is asked about cannot be moved to nowhere afterwards.
  const isAsked = !target && intent.cards.some((query) => unclearIn(board, query)?.startsWith("Do you mean "));
  if (intent.column !== undefined && isAsked && !nearest(intent.column, board.columns, titleOf))
    return unclear(noColumn(board, intent.column));
  let moved = 0;
  const stays: string[] = [];
  const plan = eachCard(board, intent.cards, "move", ({ cardId, column }, query) => {
    const here = board.columns.findIndex((each) => each.columnId === column?.columnId);
    const toColumn =
      to ?? (intent.shift === undefined ? column : board.columns[Math.max(0, here + intent.shift)])?.columnId;
    // "Every card to Done": cards in Done stay in place.
    if (toColumn === undefined) return undefined;
    if (column?.columnId === toColumn && intent.position === undefined) {
      if (query.by === "name") stays.push(`${shown(board, cardId)} is in ${column.title} already.`);
      return undefined;
    }
    const position = at === undefined ? undefined : at + moved++;
    return {
      name: "move",
      args: { cardId, ...expected(board, query, column), toColumn, ...defined({ position }) },
    };
  });
  return stays.length === 0 ? plan : { ...plan, notes: stays };
}

/** "T-3", "the invoice one" */
function besideWhich(board: Board, name: string): Found | undefined {
  const [query, another] = [{ by: "name", name } as const, ...readCards(name)].filter(
    (each) => cardsOf(board, each).length === 1 && cardsOf(board, each)[0]?.column !== undefined,
  );
  return query === undefined ? undefined : cardsOf(board, another ?? query)[0];
}

/** "after T-3" says which column, too. */
function besideCard<Placed extends Intent & { kind: "move" | "addCards" }>(intent: Placed, board: Board): Placed {
  const { column, position } = intent;
  if (column !== undefined || typeof position !== "object") return intent;
  const found = besideWhich(board, "before" in position ? position.before : position.after);
  if (!found?.column) return intent;
  return {
    ...intent,
    column: found.column.columnId,
    position: "before" in position ? { before: found.cardId } : { after: found.cardId },
  };
}

/** Two cards, or two columns, take each other's places. */
function planSwap({ one, other }: Intent & { kind: "swap" }, board: Board): Plan {
  const [left, right] = [one, other].map((name) => columnNamed(board, columnName(name)));
  if (left && right) {
    const [from, to] = [left, right].map((column) => board.columns.indexOf(column)).toSorted((a, b) => a - b);
    const [first, last] = [board.columns[from ?? 0]?.columnId, board.columns[to ?? 0]?.columnId];
    return calls(
      { name: "move", args: { fromColumn: first, toColumn: last, position: to } },
      { name: "move", args: { fromColumn: last, toColumn: first, position: from } },
    );
  }
  const which = [one, other].map((name) => readSet(name));
  const strange = [one, other].flatMap((name, index) => (which[index] ? [] : (strangeCard(board, name) ?? [])));
  const places = [one, other].flatMap((name, index) => {
    const set = which[index];
    const [found, another] = set ? cardsOf(board, set) : [cardNamed(board, name)];
    return found === undefined || another !== undefined ? [] : (findCard(board, found.cardId) ?? []);
  });
  const [a, b] = places.toSorted((x, y) => x.index - y.index);
  if (!a || !b || strange.length > 0)
    return unclear(...(strange.length > 0 ? strange : [`I do not know which cards '${one}' and '${other}' are.`]));
  const goes = (from: typeof a, to: typeof a) => ({
    name: "move",
    args: {
      cardId: from.column.cards[from.index]?.cardId,
      fromColumn: from.column.columnId,
      toColumn: to.column.columnId,
      position: to.index,
    },
  });
  // Of two neighbours, the second is in its place when the first has moved.
  const areNeighbours = a.column === b.column && b.index === a.index + 1;
  return areNeighbours ? calls(goes(a, b)) : calls(goes(a, b), goes(b, a));
}

/** The cards of a column by priority; equal ones keep their order. */
function planSort({ column: name }: Intent & { kind: "sort" }, board: Board): Plan {
  if (/^(?:everything|(?:all|each|every) .+|(?:whole |entire )?board|it all)$/i.test(name))
    return together(board.columns.map(({ title }) => planSort({ kind: "sort", column: title }, board)));
  const column = columnNamed(board, name);
  if (!column) return unclear(noColumn(board, name));
  const [cut] = cutColumns(board, name);
  if (cut) return note(`${cut.title} is too large for me to see whole, so I cannot sort it.`);
  const wanted = column.cards.toSorted((a, b) => a.priority - b.priority).map(({ cardId }) => cardId);
  const now = column.cards.map(({ cardId }) => cardId);
  const moves: Call[] = [];
  for (const [position, cardId] of wanted.entries()) {
    if (now[position] === cardId) continue;
    now.splice(position, 0, ...now.splice(now.indexOf(cardId), 1));
    const { columnId } = column;
    moves.push({ name: "move", args: { cardId, fromColumn: columnId, toColumn: columnId, position } });
  }
  return moves.length === 0 ? note(`${column.title} is sorted by priority already.`) : calls(...moves);
}

/** A question back, with the cards that it is about. */
function planChoice({ question, replies, phrase }: Intent & { kind: "choose" }, board: Board): Plan {
  if (phrase === undefined) return { ...unclear(withNames(question, board)), replies };
  const queries = readCards(phrase);
  const strange = queries.flatMap((query) =>
    query.by === "name" && cardNamed(board, query.name).guessed ? [] : (unclearIn(board, query) ?? []),
  );
  const ids = queries
    .flatMap((query) => cardsOf(board, query))
    .flatMap(({ cardId, column }) => (column ? [cardId] : []));
  if (queries.length === 0 || strange.length > 0 || ids.length === 0) {
    const like = cardsLike(board, phrase).slice(0, 3);
    return {
      ...unclear(...(strange.length > 0 ? strange : [capital(noCard(board, phrase))])),
      replies: like.map(({ cardId }) =>
        (replies[0] ?? "").replaceAll("{card}", cardId).replaceAll(COLUMN, board.columns.at(-1)?.title ?? ""),
      ),
    };
  }
  const names = ids.length > 3 ? `these ${ids.length} cards` : listed(ids.map((cardId) => shown(board, cardId)));
  // All cards that a phrase means stay named by it: the board may change meanwhile.
  const again = queries.length === 1 && queries[0]?.by !== "name" ? phrase : ids.join(" and ");
  const here = new Set(queries.flatMap((query) => cardsOf(board, query)).map(({ column }) => column));
  const elsewhere = board.columns.filter((column) => !here.has(column)).toReversed();
  return {
    ...unclear(question.replaceAll("{card}", names)),
    replies: replies
      .map((reply) => reply.replaceAll("{card}", again))
      .flatMap((reply) =>
        reply.includes(COLUMN) ? elsewhere.map(({ title }) => reply.replaceAll(COLUMN, title)) : [reply],
      ),
  };
}

/** Reads the log about a card, a person, or all. */
function planLookUp({ name, by, since, minutes, asks }: Question & { about: "changes" }, board: Board | null): Plan {
  const look = (args: Call["args"]) =>
    calls({
      name: "recentChanges",
      args: { ...args, ...defined({ minutes, times: asks === "when" ? true : undefined }) },
    });
  if (since) return look({ sinceLastRequest: true });
  if (by !== undefined) return look({ by });
  if (name === undefined || board === null) return look({});
  const found = cardNamed(board, name.replace(/^the\s+/i, ""));
  const column = columnNamed(board, columnName(name));
  const about = found.column || /^t-?\d+$/i.test(name) ? found.cardId : column?.title;
  if (about !== undefined) return look({ about });
  const like = cardsLike(board, name).slice(0, 3);
  return {
    ...unclear(capital(noCard(board, name))),
    replies: like.map(({ cardId }) => `What happened to ${cardId}?`),
  };
}

/** What a question names is on the board, or it is asked which card is meant. */
function planCardQuestion(name: string, board: Board): Plan {
  const plain = name.replace(/^the\s+/i, "");
  const isKnown = [name, plain].some((each) => cardNamed(board, each).column ?? columnNamed(board, each));
  if (isKnown || cutColumns(board).length > 0) return NOTHING;
  const like = cardsLike(board, plain).slice(0, 3);
  return { ...unclear(capital(noCard(board, plain))), replies: like.map(({ cardId }) => `Where is ${cardId}?`) };
}

const cardOf = (board: Board, cardId: string): Card | undefined => {
  const place = findCard(board, cardId);
  return place?.column.cards[place.index];
};

function planMoveColumn({ column, position }: Intent & { kind: "moveColumn" }, board: Board): Plan {
  const fromColumn = columnId(board, column);
  const others = board.columns.filter((each) => each.columnId !== fromColumn);
  const anchor = unknownAnchor(position, others.map(namesOf));
  if (anchor !== undefined) return unclear(`There is no column '${anchor}' to put it beside.`);
  const at = indexOf(position, others.map(namesOf)) ?? others.length;
  const toColumn = board.columns[Math.min(at, board.columns.length - 1)]?.columnId ?? fromColumn;
  return calls({ name: "move", args: { fromColumn, toColumn, position: at } });
}

function planRemove({ cards }: Intent & { kind: "remove" }, board: Board): Plan {
  const [only] = cards;
  if (
    only?.by === "all" &&
    only.state !== undefined &&
    [only.priority, only.about, only.except, only.count, only.isPart].every((filter) => filter === undefined)
  ) {
    const column = columnOfState(board, only.state);
    if (column) return planClear({ kind: "clear", column: column.columnId }, board);
  }
  return eachCard(board, cards, "remove", ({ cardId, column }, query) => ({
    name: "remove",
    args: { cardId, ...expected(board, query, column) },
  }));
}

function planClear({ column }: Intent & { kind: "clear" }, board: Board): Plan {
  if (column !== undefined) {
    const known = columnNamed(board, column);
    const several = names(column).map((name) => columnNamed(board, columnName(name)));
    if (!known && several.length > 1 && several.every((each) => each !== undefined))
      return together(several.map((each) => planClear({ kind: "clear", column: each.columnId }, board)));
    if (!known) return unclear(noColumn(board, column));
    if (known?.cards.length === 0) return note(`${known.title} is empty already.`);
    return calls({ name: "remove", args: { fromColumn: columnId(board, column) } });
  }
  const full = board.columns.filter(({ cards }) => cards.length > 0);
  return full.length === 0
    ? note("The board has no cards already.")
    : calls(...full.map((each) => ({ name: "remove", args: { fromColumn: each.columnId } })));
}

function planAddCards(asked: Intent & { kind: "addCards" }, board: Board): Plan {
  const { titles, column, priority, position } = besideCard(asked, board);
  const target = column === undefined ? board.columns[0]?.columnId : columnId(board, column);
  if (target === undefined)
    return note("The board has no columns yet. Ask me to add one first, for example: add a column Backlog.");
  const strange = column === undefined ? undefined : strangeColumn(board, column);
  if (strange !== undefined) return unclear(strange);
  const [title = ""] = titles;
  // "add a label to Dark mode"
  const owner = column === undefined || columnNamed(board, column) ? undefined : cardNamed(board, cleanName(column));
  if (owner?.column)
    return {
      ...unclear(
        `A card here has a title, a priority and a column: nothing can be added to ${shown(board, owner.cardId)}.`,
      ),
      replies: [`Add a card '${title}'`, `Where is ${owner.cardId}?`],
    };
  const meant = column === undefined && titles.length === 1 ? columnNamed(board, columnName(title)) : undefined;
  if (meant) return unclear(`What should the new card say? For example: add a card 'Write docs' to ${meant.title}.`);
  const beside = (columnNamed(board, target)?.cards ?? []).map((card) => [card.cardId, card.title]);
  const anchor = unknownAnchor(position, beside);
  if (anchor !== undefined)
    return unclear(`There is no card '${anchor}' in ${columnNamed(board, target)?.title ?? target} to put it beside.`);
  const at = indexOf(position, beside);
  return calls(
    ...titles.map((title, i) => ({
      name: "addCard",
      args: {
        columnId: target,
        title,
        ...defined({ priority, position: at === undefined ? undefined : at + i }),
      },
    })),
  );
}

function planRename({ what, name: said, isAbout, title }: Intent & { kind: "rename" }, board: Board): Plan {
  // "the Backlog"
  const name = columnNamed(board, said) ? said : (columnNamed(board, columnName(said))?.title ?? said);
  const query = { by: "name", name, ...defined({ isAbout }) } as const;
  const [card] = cardsOf(board, query);
  const isColumn = what === "column" || (what === "either" && !card?.column && columnNamed(board, name) !== undefined);
  if (isColumn && (columnNamed(board, name) ?? nearest(name, board.columns, titleOf)) === undefined)
    return unclear(noColumn(board, name));
  if (isColumn) return calls({ name: "renameColumn", args: { columnId: columnId(board, name), title } });
  const strange = unclearIn(board, query);
  if (strange !== undefined) return unclear(strange);
  const column = columnNamed(board, title);
  const meant = card?.cardId ?? name;
  // "change 'Dark mode' to 'Done'"
  if (column && card?.column)
    return {
      ...unclear(`'${column.title}' is a column. Shall I move ${shown(board, meant)} there?`),
      replies: [`Move ${meant} to ${column.title}`, "Leave it"],
    };
  return calls({ name: "editCard", args: { cardId: meant, title } });
}

/** One call for each card of the queries, no card twice. */
function eachCard(
  board: Board,
  queries: readonly CardQuery[],
  verb: string,
  call: (found: Found, query: CardQuery) => Call | undefined,
): Plan {
  const seen = new Set<string>();
  const plans = queries.map((query): Plan => {
    const why = unclearIn(board, query);
    if (why !== undefined) return unclear(why);
    const [cut] = query.by === "name" ? [] : cutColumns(board, query.column);
    const unsure = cut
      ? [
          `The board is too large for me to see whole: I see ${cut.cards.length} of ${cut.cardCount} cards in ${cut.title}.`,
        ]
      : [];
    if (cut && query.by === "place" && query.place === "last")
      return { ...NOTHING, notes: [...unsure, "So I cannot tell which is the last."] };
    const found = cardsOf(board, query);
    const isNamedTwice = found.length > 0 && found.every(({ cardId }) => seen.has(cardId));
    const unseen = found.filter(({ cardId }) => !seen.has(cardId) && seen.add(cardId));
    const made = unseen.flatMap((found) => call(found, query) ?? []);
    return {
      ...NOTHING,
      calls: made,
      notes: [...(made.length > 0 || isNamedTwice ? [] : [nothingFor(board, query, verb)]), ...unsure],
    };
  });
  return together(plans);
}

function nothingFor(board: Board, query: CardQuery, verb: string): string {
  const where = query.column === undefined ? "" : ` in ${columnNamed(board, query.column)?.title ?? query.column}`;
  if (query.by !== "all") return `There is no card${where} to ${verb}.`;
  const said = query.state === undefined ? "" : ` in ${columnOfState(board, query.state)?.title ?? query.state}`;
  const which = query.priority === undefined ? "" : ` with priority ${query.priority}`;
  const about = query.about === undefined ? "" : ` with '${query.about}' in its title`;
  return `There is no${query.except === undefined ? "" : " other"} card${where}${said}${which}${about} to ${verb}.`;
}

/**
 * The column that the card is expected in. If it is elsewhere by then, the operation is refused.
 */
function expected(board: Board, query: CardQuery, column: Found["column"]): { fromColumn?: string } {
  if (query.by === "name" && query.column !== undefined) return { fromColumn: columnId(board, query.column) };
  return column ? { fromColumn: column.columnId } : {};
}

const titleOf = ({ title }: { title: string }): string => title;
const namesOf = (column: { columnId: string; title: string }): readonly string[] => [column.columnId, column.title];
const together = (plans: readonly Plan[]): Plan => ({
  calls: plans.flatMap((plan) => plan.calls),
  notes: plans.flatMap((plan) => plan.notes),
  unclear: plans.flatMap((plan) => plan.unclear),
  replies: plans.flatMap((plan) => plan.replies ?? []),
});
const NOTHING: Plan = { calls: [], notes: [], unclear: [] };
const calls = (...made: readonly Call[]): Plan => ({ ...NOTHING, calls: made });
const note = (text: string): Plan => ({ ...NOTHING, notes: [text] });
const unclear = (...sentences: readonly string[]): Plan => ({ ...NOTHING, unclear: sentences });
