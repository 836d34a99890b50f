// The board's code as another release has it: loaded before a demo's server, `node --import`.
//
// A card that is moved comes first in its column. A title is written in the callback of a search,
// which is a mistake.

import type { DraftOf } from "@opstate/core";
import { board } from "@opstate/kanban-domain";

type Draft = DraftOf<typeof board>;
type Operation = (draft: unknown, input: unknown, context: never) => unknown;

release("move", (move) => (draft, input, context) => move(draft, { position: 0, ...(input as object) }, context));
release("editCard", () => (draft, input) => {
  const { cardId, title = "" } = input as { cardId: string; title?: string };
  (draft as Draft).columns.some(({ cards }) =>
    cards.some((card) => card.cardId === cardId && (card.title = title) === title),
  );
});

/** What the server runs on is the model: its operation does something else from now on. */
function release(type: string, changed: (before: Operation) => Operation): void {
  const operation = board.model.operations.get(type);
  if (operation === undefined) throw new Error(`The board has no operation "${type}".`);
  Object.assign(operation, { apply: changed(operation.apply) });
}
