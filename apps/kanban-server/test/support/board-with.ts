// The demo's board with code of a test's own: what an application has after its next release.

import { type AnyDefinition, defineState, type DraftOf, type OperationSpec } from "@opstate/core";
import { board } from "@opstate/kanban-domain";
import * as z from "zod/mini";

export type BoardDraft = DraftOf<typeof board>;

/** Operations without types of their own: tests send them as JSON. */
type Operation = OperationSpec<BoardDraft, z.ZodMiniType>;
type Operations = Readonly<Record<string, Operation>>;

// As the board's author wrote them: the engine's model has members of its own beside.
const own = Object.fromEntries(
  [...board.model.operations].map(([type, { description, input, describe, apply }]) => [
    type,
    { description, input, describe, apply },
  ]),
) as Operations;
const schema = board.schema as z.ZodMiniType<BoardDraft>;

/**
 * The board with `operations` beside its own or in their place. `check` is one more of its
 * invariants. It runs in the mode of the moment, as every definition does.
 */
export function boardWith(operations: Operations, check: (state: BoardDraft) => boolean = () => true): AnyDefinition {
  return defineState({
    name: board.name,
    version: board.version,
    schema: schema.check(z.refine(check)),
    initial: null,
    derive: { "/columns/*/cardCount": (column) => column.cards.length },
    replace: { allow: ["user", "agent", "system"] },
    operations: { ...own, ...operations },
    onFailure: () => undefined,
  });
}

export const cardsOf = ({ columns }: BoardDraft): BoardDraft["columns"][number]["cards"] =>
  columns.flatMap(({ cards }) => cards);

/** One of the board's own operations. */
export function operationOf(type: keyof typeof board.op): Operation {
  const operation = own[type];
  if (operation === undefined) throw new Error(`The board has no operation "${type}".`);
  return operation;
}
