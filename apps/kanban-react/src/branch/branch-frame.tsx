// The frame around the board and a branch of it: both beside each other where there is room, one of
// them to work on; elsewhere that one alone. Below them what was changed on the branch.

import { type OpenBranch, unmergedOf } from "@opstate/kanban-page/branch-desk.ts";
import { useAgentState } from "@opstate/react";
import { type ReactNode, useId } from "react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useSession } from "../session-context.ts";
import { BranchChanges, StillBoard } from "../late-parts.ts";

export function BranchFrame({ children }: { children: ReactNode }) {
  const { branch } = useSession();
  const { open, shown, listed } = useStore(branch);
  const id = useId();
  if (!open) return children;
  return (
    <div className="branch-frame" data-shown={shown ? "branch" : "board"} data-testid="branch-frame">
      <div className="branch-bar" role="group" aria-label="Branch">
        <span className="branch-name">
          <Icon name="branch" />A branch
        </span>
        <span className="branch-note">Nothing on it changes the board until you merge it.</span>
        <span className="push" />
        <div className="segments small">
          {[false, true].map((isBranch) => (
            <button
              key={String(isBranch)}
              type="button"
              className="segment"
              aria-pressed={shown === isBranch}
              onClick={() => branch.show(isBranch)}
            >
              {isBranch ? "Branch" : "Board"}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="button small"
          aria-expanded={listed}
          aria-controls={`${id}-changes`}
          onClick={() => branch.list(!listed)}
        >
          <Count branch={open.branch} />
        </button>
      </div>
      <div className="halves">
        {[false, true].map((isBranch) => (
          <div key={String(isBranch)} className="half" data-side={isBranch ? "branch" : "board"}>
            <p className="half-head">
              <b>{isBranch ? "The branch" : "The board"}</b>
              {isBranch === shown ? (
                <span className="half-note">you work here</span>
              ) : (
                <button type="button" className="button quiet small" onClick={() => branch.show(isBranch)}>
                  {`Work on the ${isBranch ? "branch" : "board"}`}
                </button>
              )}
            </p>
            {isBranch === shown ? children : <StillBoard side={isBranch ? "branch" : "board"} open={open} />}
          </div>
        ))}
      </div>
      <div id={`${id}-changes`} className="branch-changes" hidden={!listed}>
        <BranchChanges branch={open.branch} />
      </div>
    </div>
  );
}

function Count({ branch }: Pick<OpenBranch, "branch">) {
  const count = useAgentState(branch.changes, ({ changes }) => unmergedOf(changes).length);
  return count === 1 ? "1 change" : `${count} changes`;
}
