// The board: its columns side by side, and the ways to move a card.
//
// It renders again when columns come, go or change places; what is inside a column is the column's own business.

import type { Board } from "@opstate/kanban-domain";
import { useAgentState, useSync } from "@opstate/react";
import { useRef } from "react";
import { useSession } from "../session-context.ts";
import { useSettledStatus } from "../status/use-settled-status.ts";
import { AddColumn } from "./add-column.tsx";
import { ColumnView } from "./column-view.tsx";
import { useBoardGestures } from "./use-board-gestures.ts";

export function BoardPane() {
  const { replica } = useSession();
  const columnIds = useAgentState(replica, columnIdsOf, sameItems);
  return (
    <section className="pane board-pane" aria-labelledby="board-title">
      <h2 className="spoken" id="board-title">
        Board
      </h2>
      {columnIds === undefined ? <NoBoardYet /> : <Columns columnIds={columnIds} />}
    </section>
  );
}

function Columns({ columnIds }: { columnIds: readonly string[] }) {
  const { replica } = useSession();
  const version = useSync(replica, (sync) => sync.version);
  const board = useRef<HTMLDivElement>(null);
  useBoardGestures(board);
  return (
    <>
      <p className="spoken" id="card-help">
        Enter edits the card. Space lifts it, arrow keys choose the place, Space drops it.
      </p>
      <div className="board" ref={board} data-board="" data-version={version} data-empty={columnIds.length === 0 ? "" : undefined}>
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

function NoBoardYet() {
  const { replica } = useSession();
  const status = useSettledStatus(replica);
  return (
    <div className="board" data-empty="">
      <div className="empty">
        <h2>{status === "offline" ? "The board cannot be reached" : "Opening the board"}</h2>
        <p>{status === "offline" ? "It opens by itself as soon as the server answers." : "One moment."}</p>
      </div>
    </div>
  );
}

const columnIdsOf = (board: Board | null): readonly string[] | undefined => board?.columns.map(({ columnId }) => columnId);
const sameItems = (a: readonly string[] | undefined, b: readonly string[] | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.length === b.length && a.every((item, index) => item === b[index]));
