// The correction of a refused call, if the refusal says what would be right. A call is corrected
// once.

import { type Board, nearest } from "@opstate/kanban-domain";
import { z } from "zod";
import { shown } from "./words/card-names.ts";
import type { Call } from "./plan.ts";
import type { Outcome } from "./verdict.ts";

const UnknownColumn = z.object({
  columnId: z.string(),
  columns: z.array(z.object({ columnId: z.string(), title: z.string() })),
});
const Elsewhere = z.object({ cardId: z.string(), columnId: z.string(), title: z.string() });

const COLUMN_KEYS = new Set(["columnId", "fromColumn", "toColumn"]);

export interface Recovery {
  readonly call: Call;
  /** The reason in words: "There is no column 'Donee', so I take 'Done'." */
  readonly because: string;
}

export function recover(
  { call, verdict: { accepted, reason, details } }: Outcome,
  board: Board | null,
): Recovery | undefined {
  if (accepted) return undefined;
  // Nothing is removed on a guess.
  if (call.name.startsWith("remove")) return undefined;
  if (reason === "column_not_found") return otherColumn(call, UnknownColumn.safeParse(details).data);
  // A card that was moved meanwhile can still be moved.
  if (reason === "card_elsewhere" && call.name === "move")
    return otherOrigin(call, Elsewhere.safeParse(details).data, board);
  return undefined;
}

function otherColumn({ name, args }: Call, unknown: z.infer<typeof UnknownColumn> | undefined): Recovery | undefined {
  const meant = unknown && nearest(unknown.columnId, unknown.columns, (column) => column.title);
  if (!meant) return undefined;
  const corrected = Object.entries(args).map(([key, value]) => [
    key,
    COLUMN_KEYS.has(key) && value === unknown.columnId ? meant.columnId : value,
  ]);
  return {
    call: { name, args: Object.fromEntries(corrected) },
    because: `There is no column '${unknown.columnId}', so I take '${meant.title}'.`,
  };
}

function otherOrigin(
  { name, args }: Call,
  card: z.infer<typeof Elsewhere> | undefined,
  board: Board | null,
): Recovery | undefined {
  return (
    card && {
      call: { name, args: { ...args, fromColumn: card.columnId } },
      because: `${shown(board, card.cardId)} is in ${card.title} by now, so I take it from there.`,
    }
  );
}
