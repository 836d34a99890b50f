// The board's state as a tree, at the shown version, with the last change marked.

import { copyState, shownState } from "@opstate/kanban-page/shown-state.ts";
import { TreeView } from "@opstate/ui/react/tree-view.tsx";
import { useTrackedState } from "@opstate/ui/react/use-tracked-state.ts";
import { useStore } from "zustand";
import { Board } from "./board-context.ts";
import { useSession } from "./session-context.ts";

export function StatePanel() {
  const { past, announcer } = useSession();
  const now = Board.useAgentState();
  const version = Board.useSync((sync) => sync.version);
  const pending = Board.useSync((sync) => sync.pending.length);
  const shown = shownState(now, version, pending, useStore(past));
  const { changes, count } = useTrackedState(shown.state);
  return (
    <div className="state-panel">
      <div className="state-head">
        <p className="number">{shown.words}</p>
        <button type="button" className="button quiet small" onClick={() => void copyState(shown, announcer)}>
          Copy JSON
        </button>
      </div>
      <TreeView value={shown.state} name="board" label="State of the board" changes={changes} flash={count} />
    </div>
  );
}
