// What is not the same on the board and on a branch of it, card by card, in the words that stand on
// the card: each side says what the other one has.

import type { Board, Card, Column } from "@opstate/kanban-domain";

/** The words of each card that differs, by its id. */
export interface Differences {
  readonly board: ReadonlyMap<string, string>;
  readonly branch: ReadonlyMap<string, string>;
}

export const NO_DIFFERENCES: Differences = { board: new Map(), branch: new Map() };

interface Place {
  readonly card: Card;
  readonly column: Column;
}

export function differencesOf(board: Board | null, branch: Board | null): Differences {
  // A change replaces what it touches, so what is shared is equal.
  if (board === branch || board === null || branch === null) return NO_DIFFERENCES;
  const onBoard = placesOf(board);
  const onBranch = placesOf(branch);
  return {
    board: words(onBoard, onBranch, { here: "board", there: "branch" }),
    branch: words(onBranch, onBoard, { here: "branch", there: "board" }),
  };
}

type Side = keyof Differences;

function words(
  ours: ReadonlyMap<string, Place>,
  theirs: ReadonlyMap<string, Place>,
  { here, there }: { readonly here: Side; readonly there: Side },
): ReadonlyMap<string, string> {
  const reordered = reorderedIn(ours, theirs);
  const found = new Map<string, string>();
  for (const [cardId, { card, column }] of ours) {
    const other = theirs.get(cardId);
    if (other === undefined) {
      found.set(cardId, `Only on the ${here}`);
      continue;
    }
    const differs = [
      other.column.columnId === column.columnId ? "" : other.column.title,
      other.card.title === card.title ? "" : `“${other.card.title}”`,
      other.card.priority === card.priority ? "" : `P${other.card.priority}`,
      reordered.has(cardId) ? "another place" : "",
    ].filter(Boolean);
    if (differs.length > 0) found.set(cardId, `On the ${there}: ${differs.join(", ")}`);
  }
  return found;
}

function placesOf({ columns }: Board): ReadonlyMap<string, Place> {
  return new Map(
    columns.flatMap((column) => column.cards.map((card): [string, Place] => [card.cardId, { card, column }])),
  );
}

/** Cards with other neighbours on both sides, among those that are in the same column on both. */
function reorderedIn(ours: ReadonlyMap<string, Place>, theirs: ReadonlyMap<string, Place>): ReadonlySet<string> {
  const before = neighboursOf(ours, theirs);
  const after = neighboursOf(theirs, ours);
  const found = [...before].filter(([cardId, [previous, next]]) => {
    const other = after.get(cardId);
    return other !== undefined && other[0] !== previous && other[1] !== next;
  });
  return new Set(found.map(([cardId]) => cardId));
}

type Neighbours = readonly [string | undefined, string | undefined];

function neighboursOf(
  ours: ReadonlyMap<string, Place>,
  theirs: ReadonlyMap<string, Place>,
): ReadonlyMap<string, Neighbours> {
  const shared = [...ours]
    .filter(([cardId, { column }]) => theirs.get(cardId)?.column.columnId === column.columnId)
    .map(([cardId, { column }]) => ({ cardId, columnId: column.columnId }));
  const beside = (index: number, step: number) => {
    const other = shared[index + step];
    return other?.columnId === shared[index]?.columnId ? other?.cardId : undefined;
  };
  return new Map(shared.map(({ cardId }, index) => [cardId, [beside(index, -1), beside(index, 1)]]));
}
