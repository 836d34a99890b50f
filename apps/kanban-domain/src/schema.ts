// The schema of a board and its invariants: ids are unique, and so are column titles, because
// people and models name columns by title.

import type { ReadonlyDeep } from "@opstate/core";
import * as z from "zod/mini";

export const LIMITS = { columns: 50, cardsInColumn: 20_000, id: 64, title: 200 } as const;

const Id = z.string().check(z.minLength(1), z.maxLength(LIMITS.id));
const Title = z.string().check(z.minLength(1), z.maxLength(LIMITS.title));

/** 1 is the most urgent, 4 the least. */
export const Priority = z.int().check(z.gte(1), z.lte(4));

export const Card = z.object({ cardId: Id, title: Title, priority: Priority });

export const Column = z.object({
  columnId: Id,
  title: Title,
  /** Derived: how many cards the column holds. */
  cardCount: z.int().check(z.gte(0)),
  cards: z.array(Card).check(z.maxLength(LIMITS.cardsInColumn)),
});

export const Board = z.object({ columns: z.array(Column).check(z.maxLength(LIMITS.columns)) }).check(
  z.superRefine(({ columns }, context) => {
    const columnIds = new Set<string>();
    const titles = new Set<string>();
    const cardIds = new Set<string>();
    for (const { columnId, title, cards } of columns) {
      if (columnIds.has(columnId))
        context.addIssue({ code: "custom", message: `Two columns have the id "${columnId}"` });
      columnIds.add(columnId);
      if (titles.has(sameTitle(title)))
        context.addIssue({ code: "custom", message: `Two columns have the title "${title}"` });
      titles.add(sameTitle(title));
      for (const { cardId } of cards) {
        if (cardIds.has(cardId)) context.addIssue({ code: "custom", message: `Two cards have the id "${cardId}"` });
        cardIds.add(cardId);
      }
    }
  }),
);

/** Two titles are the same if they differ only in case or outer spaces. */
export const sameTitle = (title: string): string => title.trim().toLowerCase();

const GivenTitle = z.string().check(z.trim(), z.minLength(1), z.maxLength(LIMITS.title));

/**
 * Fields of operations' inputs. Titles lose their outer spaces. Nothing is decided by a card's
 * title, so a page may show it while it is written; a column's makes its id.
 */
export const input = {
  id: Id,
  cardTitle: GivenTitle.check(z.meta({ freeText: true })),
  columnTitle: GivenTitle,
  position: z.int().check(z.gte(0)),
} as const;

export type Card = ReadonlyDeep<z.infer<typeof Card>>;
export type Column = ReadonlyDeep<z.infer<typeof Column>>;
export type Board = ReadonlyDeep<z.infer<typeof Board>>;
/** The board as operations edit it. */
export type BoardDraft = z.infer<typeof Board>;
