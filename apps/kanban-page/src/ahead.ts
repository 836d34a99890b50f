// The cards that the agent is about to add, move or change, where they would be.

import type { Actor } from "@opstate/core";
import type { Intent, IntentsState, RefusedIntent } from "@opstate/client/intents";
import type { board, Board, Card } from "@opstate/kanban-domain";

export interface AheadCard {
  /** The id of the call. */
  readonly id: string;
  readonly actor: Actor;
  readonly card: Card;
  /** The real card that it would follow; undefined at the top. */
  readonly after: string | undefined;
  readonly label: "Writing" | "Soon" | "Refused";
  /** Why it was refused. */
  readonly reason: string | undefined;
}

type AnyIntent = Intent<typeof board> | RefusedIntent<typeof board>;
type Shown = Pick<IntentsState<typeof board>, "intents" | "refused">;

const NONE: readonly AheadCard[] = [];
const LABELS = { writing: "Writing", waiting: "Soon", refused: "Refused" } as const;
/** The last one of each list: every column reads it. */
const BY_COLUMN = new WeakMap<Shown["intents"], ByColumn>();

interface ByColumn {
  readonly refused: Shown["refused"];
  readonly columns: ReadonlyMap<string, readonly AheadCard[]>;
}

/** Those in one column, in the order of their calls. */
export function aheadIn(shown: Shown, columnId: string): readonly AheadCard[] {
  const { intents, refused } = shown;
  if (intents.length === 0 && refused.length === 0) return NONE;
  const known = BY_COLUMN.get(intents);
  const { columns } = known?.refused === refused ? known : { columns: aheadOf(shown) };
  BY_COLUMN.set(intents, { refused, columns });
  return columns.get(columnId) ?? NONE;
}

function aheadOf({ intents, refused }: Shown): ReadonlyMap<string, readonly AheadCard[]> {
  const all: readonly AnyIntent[] = [...intents, ...refused];
  const isNew = new Set(
    all.flatMap((intent) => placesOf(intent).flatMap(({ card, what }) => (what === "change" ? [] : card.cardId))),
  );
  const byColumn = new Map<string, AheadCard[]>();
  for (const intent of all)
    for (const { columnId, card, what, before } of placesOf(intent)) {
      const after = what === "change" ? card.cardId : before.findLast(({ cardId }) => !isNew.has(cardId))?.cardId;
      const { id, actor, status } = intent;
      const reason = intent.status === "refused" ? intent.rejection.message : undefined;
      const inColumn = byColumn.get(columnId) ?? [];
      byColumn.set(columnId, [...inColumn, { id, actor, card, after, label: LABELS[status], reason }]);
    }
  return byColumn;
}

interface Place {
  readonly columnId: string;
  readonly card: Card;
  readonly what: "add" | "change" | "move";
  /** The cards above it. */
  readonly before: readonly Card[];
}

/** The cards that an intent concerns. Of one that it adds, no more than that. */
function placesOf({ changes, view }: AnyIntent): readonly Place[] {
  const places = new Map<string, Place>();
  for (const { pointer, what } of changes) {
    const [, at, column, row] = /^(\/columns\/(\d+)\/cards\/(\d+))(?:\/|$)/.exec(pointer) ?? [];
    if (at === undefined || places.has(at)) continue;
    const place = placeIn(view, Number(column), Number(row));
    if (place !== undefined) places.set(at, { ...place, what: pointer === at ? what : "change" });
  }
  return [...places.values()];
}

function placeIn(view: Board | null, column: number, row: number): Omit<Place, "what"> | undefined {
  const { columnId, cards = [] } = view?.columns[column] ?? {};
  const card = cards[row];
  return columnId === undefined || card === undefined ? undefined : { columnId, card, before: cards.slice(0, row) };
}
