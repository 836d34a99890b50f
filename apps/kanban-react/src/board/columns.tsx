// The columns side by side, with the board's gestures. It renders again only when columns are
// added, removed or reordered.

import { useRef } from "react";
import { Board } from "../board-context.ts";
import { AddColumn } from "./add-column.tsx";
import { ColumnView } from "./column-view.tsx";
import { useBoardGestures } from "./use-board-gestures.ts";

export function Columns({ columnIds }: { columnIds: readonly string[] }) {
  const version = Board.useSync((sync) => sync.version);
  const board = useRef<HTMLDivElement>(null);
  useBoardGestures(board);
  return (
    <>
      <p className="spoken" id="card-help">
        Enter edits the card. Space lifts it, arrow keys choose the place, Space drops it.
      </p>
      <p className="spoken" id="column-help">
        Enter renames the column. Space lifts it, left and right arrow keys choose the place, Space drops it.
      </p>
      <div
        className="board"
        ref={board}
        data-board=""
        data-version={version}
        data-empty={columnIds.length === 0 ? "" : undefined}
      >
        {columnIds.length === 0 && (
          <div className="empty">
            <h2>The board is empty</h2>
            <p>Add a column, or ask the agent: “Build a board for launching a website”.</p>
          </div>
        )}
        {columnIds.map((columnId) => (
          <ColumnView key={columnId} columnId={columnId} />
        ))}
        <AddColumn />
      </div>
    </>
  );
}
