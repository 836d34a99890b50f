// A board from titles alone: ids and counts are filled in.

import { columnIdFor, freeCardIds } from "./ids.ts";
import type { Board } from "./schema.ts";

export interface Blueprint {
  readonly columns: readonly {
    readonly title: string;
    readonly columnId?: string;
    readonly cards?: readonly { readonly title: string; readonly priority?: number; readonly cardId?: string }[];
  }[];
}

/**
 * The board of a blueprint, as the value of a replacement. Given ids stay; if two are equal, the
 * replacement is refused.
 */
export function boardFrom({ columns }: Blueprint): Board {
  const columnIds = columns.flatMap(({ columnId }) => columnId ?? []);
  const newCardId = freeCardIds(columns.flatMap(({ cards = [] }) => cards.flatMap(({ cardId }) => cardId ?? [])));
  return {
    columns: columns.map(({ title, cards = [], columnId = newColumnId(title, columnIds) }) => ({
      columnId,
      title,
      cardCount: cards.length,
      cards: cards.map(({ title, priority = 3, cardId = newCardId() }) => ({ cardId, title, priority })),
    })),
  };
}

function newColumnId(title: string, usedIds: string[]): string {
  const columnId = columnIdFor(title, usedIds);
  usedIds.push(columnId);
  return columnId;
}
