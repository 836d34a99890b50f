// The changes on the branch in words, to merge all or some of them or to discard the branch.

import { useState } from "react";
import { useStore } from "zustand";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { changeProblem, type OpenBranch, unmergedOf } from "@opstate/kanban-page/branch-desk.ts";
import { isRunning } from "@opstate/kanban-page/chat/transcript.ts";
import type { BranchChange } from "@opstate/core/thread";
import { useAgentState, useChat } from "@opstate/react";
import { Board } from "../board-context.ts";

export function BranchChanges({ branch: { changes: live } }: Pick<OpenBranch, "branch">) {
  const { branch, chat } = useSession();
  const { busy, problem } = useStore(branch);
  const running = useChat(chat, isRunning);
  const { changes } = useAgentState(live);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const unmerged = unmergedOf(changes);
  const chosen = unmerged.filter(({ id }) => !left.has(id));
  return (
    <div className="decisions">
      {changes.length === 0 ? (
        <div className="panel-empty">
          <h3>Nothing has happened on the branch yet</h3>
          <p>What is done there is listed here, one change after the other. The board itself stays as it is.</p>
        </div>
      ) : (
        <ol className="decision-list" aria-label="Changes on the branch">
          {changes.map((change) => (
            <Change
              key={change.version}
              change={change}
              chosen={!left.has(change.id)}
              onChoose={(wanted) =>
                setLeft(
                  (before) => new Set(wanted ? [...before].filter((id) => id !== change.id) : [...before, change.id]),
                )
              }
            />
          ))}
        </ol>
      )}
      {problem !== undefined && (
        <p className="entry-reason" role="alert">
          {problem}
        </p>
      )}
      <div className="decision-bar">
        <button
          type="button"
          className="button primary small"
          disabled={busy || running || chosen.length === 0}
          onClick={() => void branch.merge(chosen.length === unmerged.length ? undefined : chosen.map(({ id }) => id))}
        >
          {chosen.length === unmerged.length
            ? `Merge all (${chosen.length})`
            : `Merge ${chosen.length} of ${unmerged.length}`}
        </button>
        <button
          type="button"
          className="button quiet small danger"
          disabled={busy || running}
          onClick={() => void branch.discard()}
        >
          Discard the branch
        </button>
      </div>
    </div>
  );
}

interface ChangeProps {
  readonly change: BranchChange;
  readonly chosen: boolean;
  readonly onChoose: (wanted: boolean) => void;
}

function Change({ change, chosen, onChoose }: ChangeProps) {
  const { user, branch } = useSession();
  const refused = useStore(branch, (state) => state.refused.get(change.id));
  const problem = Board.useAgentState((board) => changeProblem(change, board));
  const merged = change.merged !== undefined;
  return (
    <li className="decision" data-merged={merged ? "" : undefined} data-stale={change.holds || merged ? undefined : ""}>
      <label className="decision-head">
        <input
          type="checkbox"
          checked={merged || chosen}
          disabled={merged}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <span className="decision-sentence">
          <Words>{change.sentence}</Words>
        </span>
      </label>
      <p className="decision-by">
        <Mark kind={change.actor.kind} size={8} />
        {nameOf(change.actor, user)}
        {merged && <span>Merged</span>}
      </p>
      {!merged && !change.holds && (
        <p className="decision-stale">
          <Words>{`The board would refuse it now. ${problem ?? ""}`}</Words>
        </p>
      )}
      {refused !== undefined && !merged && change.holds && (
        <p className="entry-reason">
          <Words>{refused}</Words>
        </p>
      )}
    </li>
  );
}
