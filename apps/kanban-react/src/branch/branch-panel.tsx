// The changes on the branch in words, to merge all or some of them or to discard the branch.

import { useState } from "react";
import { useStore } from "zustand";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import type { BranchLine } from "@opstate/kanban-page/branch-store.ts";

export function BranchPanel() {
  const { branch, chat } = useSession();
  const { branch: open, busy, problem } = useStore(branch);
  const running = useStore(chat, (state) => state.running);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const lines = open?.lines ?? [];
  const unmerged = lines.filter(({ change }) => change.merged === undefined);
  const chosen = unmerged.filter(({ change }) => !left.has(change.id));
  return (
    <div className="decisions">
      {lines.length === 0 ? (
        <div className="panel-empty">
          <h3>Nothing has happened on the branch yet</h3>
          <p>What is done there is listed here, one change after the other. The board itself stays as it is.</p>
        </div>
      ) : (
        <ol className="decision-list" aria-label="Changes on the branch">
          {lines.map((line) => (
            <Change
              key={line.change.version}
              line={line}
              chosen={!left.has(line.change.id)}
              onChoose={(wanted) =>
                setLeft(
                  (before) =>
                    new Set(wanted ? [...before].filter((id) => id !== line.change.id) : [...before, line.change.id]),
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
          onClick={() =>
            void branch.merge(chosen.length === unmerged.length ? undefined : chosen.map(({ change }) => change.id))
          }
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

function Change({
  line: { change, sentence, problem, refused },
  chosen,
  onChoose,
}: {
  line: BranchLine;
  chosen: boolean;
  onChoose: (wanted: boolean) => void;
}) {
  const { user } = useSession();
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
          <Words>{sentence}</Words>
        </span>
      </label>
      <p className="decision-by">
        <Mark kind={change.actor.kind} size={8} />
        {nameOf(change.actor, user)}
        {merged && <span>{`Merged, version ${change.merged}`}</span>}
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
