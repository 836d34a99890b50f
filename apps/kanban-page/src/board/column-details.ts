// What a column shows beside its title and its cards.

import type { PendingOperation } from "@opstate/core";
import type { Notice } from "../notices/notices.ts";

/** Whether a pending operation moves this column. */
export const movesColumn = ({ operation }: PendingOperation, columnId: string): boolean =>
  typeof operation === "object" &&
  operation !== null &&
  "fromColumn" in operation &&
  operation.fromColumn === columnId &&
  !("cardId" in operation) &&
  "toColumn" in operation;

/** Whether a refusal is about this column itself, and not about a card. */
export const refusesColumn = ({ cardId, columnId }: Notice, of: string): boolean =>
  cardId === undefined && columnId === of;
