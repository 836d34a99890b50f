// Ghosts of one place, in the order in which they were proposed.

import { GhostCard } from "./ghost-card.tsx";
import type { Ghost } from "@opstate/kanban-page/proposals/preview.ts";

export function Ghosts({ ghosts }: { ghosts: readonly Ghost[] }) {
  return ghosts.map((ghost) => <GhostCard key={`ghost ${ghost.proposal.version} ${ghost.card.cardId}`} ghost={ghost} />);
}
