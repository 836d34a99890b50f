// Cards that the agent is about to add, move or change, in one place.

import type { AheadCard } from "@opstate/kanban-page/ahead.ts";
import { AheadItem } from "../late-parts.ts";

export function AheadCards({ ahead }: { ahead: readonly AheadCard[] }) {
  return ahead.map((each) => <AheadItem key={`${each.id} ${each.card.cardId}`} ahead={each} />);
}
