// The frame that says whether the branch or the board is shown.

import { type OpenBranch, unmergedOf } from "@opstate/kanban-page/branch-desk.ts";
import { useAgentState } from "@opstate/react";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { useSession } from "../session-context.ts";

export function BranchFrame({ children }: { children: ReactNode }) {
  const { branch, view } = useSession();
  const { open, shown } = useStore(branch);
  if (!open) return children;
  return (
    <div className="branch-frame" data-shown={shown ? "branch" : "board"} data-testid="branch-frame">
      <div className="branch-bar" role="group" aria-label="Branch">
        <span className="branch-name">
          <Icon name="branch" />
          {shown ? "On a branch" : "The board"}
        </span>
        <span className="branch-note">
          {shown ? "Nothing here changes the board until you merge it." : "Without the changes of the branch."}
        </span>
        <span className="push" />
        <div className="segments small">
          {[true, false].map((isBranch) => (
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
        <button type="button" className="button small" onClick={() => view.reveal("branch")}>
          <Count branch={open.branch} />
        </button>
      </div>
      {children}
    </div>
  );
}

function Count({ branch }: Pick<OpenBranch, "branch">) {
  const count = useAgentState(branch.changes, ({ changes }) => unmergedOf(changes).length);
  return count === 1 ? "1 change" : `${count} changes`;
}
