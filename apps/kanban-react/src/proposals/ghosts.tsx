// The ghosts of one place, in the order of their proposals.

import { GhostCard } from "../late-parts.ts";
import { type Ghost, ghostKey } from "@opstate/kanban-page/proposals/preview.ts";

export function Ghosts({ ghosts }: { ghosts: readonly Ghost[] }) {
  return ghosts.map((ghost) => <GhostCard key={ghostKey(ghost)} ghost={ghost} />);
}
