// The board's pane: the board, the branch, or a past version; below it the version slider.

import { columnIdsOf, sameColumnIds } from "@opstate/kanban-page/board/column-ids.ts";
import { noBoardWords } from "@opstate/kanban-page/connection/status-words.ts";
import { useMemo } from "react";
import { useStore } from "zustand";
import { Board } from "../board-context.ts";
import { BranchFrame } from "../branch/branch-frame.tsx";
import { SessionContext, useSession } from "../session-context.ts";
import { useStableStatus } from "../status/use-stable-status.ts";
import { PastBoard, ProposedBoard } from "../late-parts.ts";
import { VersionBar } from "../versions/version-bar.tsx";
import { Columns } from "./columns.tsx";

export function BoardPane() {
  const { past, branch } = useSession();
  const version = useStore(past, (state) => state.version);
  const onBranch = useStore(branch, (state) => state.shown);
  return (
    <section className="pane board-pane" aria-labelledby="board-title">
      <h2 className="spoken" id="board-title">
        Board
      </h2>
      {version === undefined && !onBranch && <ProposedBoard />}
      {version === undefined ? (
        <BranchFrame>
          <Present />
        </BranchFrame>
      ) : (
        <div className="past-frame">
          <PastBoard version={version} />
        </div>
      )}
      {/* Versions, undo and redo belong to the board, so a branch does not show them. */}
      {(!onBranch || version !== undefined) && <VersionBar />}
    </section>
  );
}

/**
 * The board or the branch: the same components, with the thread and the edits of the shown one.
 */
function Present() {
  const session = useSession();
  const branch = useStore(session.branch, ({ shown, open }) => (shown ? open?.board : undefined));
  const shown = useMemo(() => (branch ? { ...session, ...branch } : session), [session, branch]);
  return (
    <SessionContext value={shown}>
      <Board.Provider thread={shown.thread}>
        <TheBoard key={shown.thread.threadId} />
      </Board.Provider>
    </SessionContext>
  );
}

function TheBoard() {
  const columnIds = Board.useAgentState(columnIdsOf, sameColumnIds);
  return columnIds === undefined ? <NoBoardYet /> : <Columns columnIds={columnIds} />;
}

function NoBoardYet() {
  const { title, text } = noBoardWords(useStableStatus());
  return (
    <div className="board" data-empty="">
      <div className="empty">
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
    </div>
  );
}
