// Ghosts of one place, in the order in which they were proposed.

import { GhostCard } from "./ghost-card.tsx";
import { type Ghost, ghostKey } from "@opstate/kanban-page/proposals/preview.ts";

export function Ghosts({ ghosts }: { ghosts: readonly Ghost[] }) {
  return ghosts.map((ghost) => <GhostCard key={ghostKey(ghost)} ghost={ghost} />);
}
