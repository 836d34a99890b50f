// What the open proposals would do to the shown board.

import { type Preview, previewOf } from "@opstate/kanban-page/proposals/preview.ts";
import { useAgentState } from "@opstate/react";
import { Board } from "../board-context.ts";

export function usePreview<Slice>(select: (preview: Preview) => Slice): Slice {
  const proposals = useAgentState(Board.useThread().proposals, (state) => state.proposals);
  return Board.useAgentState((state) => select(previewOf(state, proposals)));
}
