// The side that one does not work on: live, and only to look at.

import type { OpenBranch } from "@opstate/kanban-page/branch-desk.ts";
import type { Differences } from "@opstate/kanban-page/branch-differences.ts";
import { useAgentState } from "@opstate/react";
import { useStore } from "zustand";
import { StillColumns } from "../board/still-columns.tsx";
import { useSession } from "../session-context.ts";

export function StillBoard({ side, open }: { side: keyof Differences; open: OpenBranch }) {
  const { thread, branch } = useSession();
  const columns = useAgentState(side === "branch" ? open.branch.thread : thread, (board) => board?.columns);
  const differences = useStore(branch, (state) => state.differences[side]);
  return (
    <div className="board still-board" data-testid="still-board" role="group" aria-label={`The ${side}, read only`}>
      <StillColumns
        columns={columns ?? []}
        where={`, on the ${side}`}
        differenceOf={(cardId) => differences.get(cardId)}
      />
    </div>
  );
}
