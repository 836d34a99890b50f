// What the open proposals would do to the shown board; `current` is reactive. Call it once, at the
// top of a component.

import { type Preview, previewOf } from "@opstate/kanban-page/proposals/preview.ts";
import { boardContext, getProposals } from "../board-context.ts";

export function getPreview(): { readonly current: Preview } {
  const board = boardContext.get();
  const proposals = getProposals();
  return {
    get current() {
      return previewOf(board.current, proposals.current);
    },
  };
}
