// The board's state as a tree, at the version that is looked at; what the last commit changed is
// marked.

import { copyState, stateAt } from "@opstate/kanban-page/shown-state.ts";
import { useAgentState, useSync } from "@opstate/react";
import { TreeView } from "@opstate/ui/react/tree-view.tsx";
import { type Seen, seenFirst, seenNext } from "@opstate/ui/tree/changed-paths.ts";
import { useState } from "react";
import { useStore } from "zustand";
import { useSession } from "./session-context.ts";

export function StatePanel() {
  const { replica, past, announcer } = useSession();
  const now = useAgentState(replica);
  const version = useSync(replica, (sync) => sync.version);
  const pending = useSync(replica, (sync) => sync.pending.length);
  const shown = stateAt(now, version, pending, useStore(past));
  const { changes, count } = useSeen(shown.state);
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

function useSeen(state: unknown): Seen {
  const [seen, setSeen] = useState(() => seenFirst(state));
  const next = seenNext(seen, state);
  if (next !== seen) setSeen(next);
  return next;
}
