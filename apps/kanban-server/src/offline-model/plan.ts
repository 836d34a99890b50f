// Intents turned into tool calls, by looking at the board as it is now.

import type { Board } from "@opstate/kanban-domain";
import { boardAbout } from "./content.ts";
import type { CardQuery, Intent, Step } from "./intent.ts";
import { cardsOf, columnId, columnNamed, cutColumns, type Found, indexOf } from "./resolve.ts";

/** A tool and its arguments. */
export interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What to call for one step, at once, and what to say about intents that need no call. */
export interface Plan {
  readonly calls: readonly Call[];
  readonly notes: readonly string[];
}

export const noBoard = "There is no board yet. Ask me to build one, for example: build a board for launching a website.";

/** A person has to be able to read what one step did. */
const mostCalls = 40;

export function planStep(step: Step, board: Board | null): Plan {
  const { calls, notes } = together(step.map((intent) => planIntent(intent, board)));
  if (calls.length <= mostCalls) return { calls, notes };
  return {
    calls: calls.slice(0, mostCalls),
    notes: [...notes, `These are ${calls.length} changes; I make ${mostCalls} at a time. Ask again for the rest.`],
  };
}

function planIntent(intent: Intent, board: Board | null): Plan {
  if (intent.kind === "build") return calls({ name: "buildBoard", args: boardAbout(intent.topic, intent.columns) });
  if (intent.kind === "ask" && intent.about === "changes") return calls({ name: "recentChanges", args: {} });
  if (intent.kind === "ask" || intent.kind === "unknown") return nothing;
  if (board === null) return note(noBoard);
  switch (intent.kind) {
    case "move":
      return planMove(intent, board);
    case "moveColumn":
      return planMoveColumn(intent, board);
    case "remove":
      return eachCard(board, intent.cards, "remove", ({ cardId, column }, query) => ({
        name: "remove",
        args: { cardId, ...expected(board, query, column) },
      }));
    case "clear":
      return planClear(intent, board);
    case "addCards":
      return planAddCards(intent, board);
    case "rename":
      return planRename(intent, board);
    case "prioritise":
      return eachCard(board, intent.cards, "change", ({ cardId }) => ({ name: "editCard", args: { cardId, priority: intent.priority } }));
    case "addColumns": {
      const at = indexOf(intent.position, board.columns.map(namesOf));
      return calls(
        ...intent.titles.map((title, i) => ({ name: "addColumn", args: { title, ...(at === undefined ? {} : { position: at + i }) } })),
      );
    }
    case "removeColumn":
      return calls({ name: "removeColumn", args: { columnId: columnId(board, intent.column) } });
  }
}

function planMove(intent: Intent & { kind: "move" }, board: Board): Plan {
  const to = intent.column === undefined ? undefined : columnId(board, intent.column);
  const target = to === undefined ? undefined : columnNamed(board, to);
  const at = indexOf(
    intent.position,
    (target?.cards ?? []).map((card) => [card.cardId, card.title]),
  );
  let moved = 0;
  return eachCard(board, intent.cards, "move", ({ cardId, column }, query) => {
    const toColumn = to ?? column?.columnId;
    // "Every card to Done": those that are there stay where they are.
    if (toColumn === undefined || (query.by === "all" && column?.columnId === toColumn && at === undefined)) return undefined;
    const position = at === undefined ? undefined : at + moved++;
    return { name: "move", args: { cardId, ...expected(board, query, column), toColumn, ...(position === undefined ? {} : { position }) } };
  });
}

function planMoveColumn({ column, position }: Intent & { kind: "moveColumn" }, board: Board): Plan {
  const fromColumn = columnId(board, column);
  const others = board.columns.filter((each) => each.columnId !== fromColumn);
  const at = indexOf(position, others.map(namesOf)) ?? others.length;
  const toColumn = board.columns[Math.min(at, board.columns.length - 1)]?.columnId ?? fromColumn;
  return calls({ name: "move", args: { fromColumn, toColumn, position: at } });
}

function planClear({ column }: Intent & { kind: "clear" }, board: Board): Plan {
  if (column !== undefined) {
    const known = columnNamed(board, column);
    if (known?.cards.length === 0) return note(`${known.title} is empty already.`);
    return calls({ name: "remove", args: { fromColumn: columnId(board, column) } });
  }
  const full = board.columns.filter(({ cards }) => cards.length > 0);
  return full.length === 0
    ? note("The board has no cards already.")
    : calls(...full.map((each) => ({ name: "remove", args: { fromColumn: each.columnId } })));
}

function planAddCards({ titles, column, priority, position }: Intent & { kind: "addCards" }, board: Board): Plan {
  const target = column === undefined ? board.columns[0]?.columnId : columnId(board, column);
  if (target === undefined) return note("The board has no columns yet. Ask me to add one first, for example: add a column Backlog.");
  const at = indexOf(
    position,
    (columnNamed(board, target)?.cards ?? []).map((card) => [card.cardId, card.title]),
  );
  return calls(
    ...titles.map((title, i) => ({
      name: "addCard",
      args: { columnId: target, title, ...(priority === undefined ? {} : { priority }), ...(at === undefined ? {} : { position: at + i }) },
    })),
  );
}

function planRename({ what, name, title }: Intent & { kind: "rename" }, board: Board): Plan {
  const [card] = cardsOf(board, { by: "name", name });
  const isColumn = what === "column" || (what === "either" && !card?.column && columnNamed(board, name) !== undefined);
  if (isColumn) return calls({ name: "renameColumn", args: { columnId: columnId(board, name), title } });
  return calls({ name: "editCard", args: { cardId: card?.cardId ?? name, title } });
}

/** One call for each card that the queries mean, no card twice. */
function eachCard(
  board: Board,
  queries: readonly CardQuery[],
  verb: string,
  call: (found: Found, query: CardQuery) => Call | undefined,
): Plan {
  const seen = new Set<string>();
  const plans = queries.map((query): Plan => {
    const [cut] = query.by === "name" ? [] : cutColumns(board, query.column);
    const unsure = cut
      ? [`The board is too large for me to see whole: I see ${cut.cards.length} of ${cut.cardCount} cards in ${cut.title}.`]
      : [];
    if (cut && query.by === "place" && query.place === "last")
      return { calls: [], notes: [...unsure, "So I cannot tell which is the last."] };
    const unseen = cardsOf(board, query).filter(({ cardId }) => !seen.has(cardId) && seen.add(cardId));
    const made = unseen.flatMap((found) => call(found, query) ?? []);
    return { calls: made, notes: [...(made.length > 0 ? [] : [nothingFor(board, query, verb)]), ...unsure] };
  });
  return together(plans);
}

function nothingFor(board: Board, query: CardQuery, verb: string): string {
  if (query.by !== "name" && query.column !== undefined && !columnNamed(board, query.column)) {
    return `There is no column '${query.column}', so I found nothing to ${verb}. Columns: ${board.columns.map((column) => column.title).join(", ") || "none"}.`;
  }
  const where = query.column === undefined ? "" : ` in ${columnNamed(board, query.column)?.title ?? query.column}`;
  const which = query.by === "all" && query.priority !== undefined ? ` with priority ${query.priority}` : "";
  return `There is no card${where}${which} to ${verb}.`;
}

/** Where the card is, or is said to be: if it is elsewhere by then, the plan was made for another board, and the operation is refused. */
function expected(board: Board, query: CardQuery, column: Found["column"]): { fromColumn?: string } {
  if (query.by === "name" && query.column !== undefined) return { fromColumn: columnId(board, query.column) };
  return column ? { fromColumn: column.columnId } : {};
}

const namesOf = (column: { columnId: string; title: string }): readonly string[] => [column.columnId, column.title];
const together = (plans: readonly Plan[]): Plan => ({
  calls: plans.flatMap((plan) => plan.calls),
  notes: plans.flatMap((plan) => plan.notes),
});
const nothing: Plan = { calls: [], notes: [] };
const calls = (...made: readonly Call[]): Plan => ({ calls: made, notes: [] });
const note = (text: string): Plan => ({ calls: [], notes: [text] });
