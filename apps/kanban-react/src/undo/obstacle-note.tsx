// What prevents an undo: each later edit with what it did and what it would do now, and the choice
// to keep these, to drop them, or to cancel. After an undo: what it kept.

import { useStore } from "zustand";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import type { DependentLine } from "@opstate/kanban-page/undo/dependent-words.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";

export function ObstacleNote({ about }: { about: string }) {
  const { takeBack } = useSession();
  const { obstacle, kept, busy } = useStore(takeBack);
  if (kept?.about === about)
    return (
      <ul className="kept" aria-label="What stays" data-testid="kept">
        {kept.lines.map((line) => (
          <li key={line}>
            <Words>{line}</Words>
          </li>
        ))}
      </ul>
    );
  if (obstacle?.about !== about) return null;
  const { message, dependents, more, keep, drop } = obstacle;
  return (
    <div className="obstacle" role="group" aria-label="Not taken back" data-testid="obstacle">
      <p>
        <Words>{message}</Words>
      </p>
      {dependents.length > 0 && (
        <ul>
          {dependents.map((line) => (
            <DependentItem key={line.key} line={line} />
          ))}
          {more > 0 && <li className="obstacle-more">{`and ${more} more`}</li>}
        </ul>
      )}
      <div className="obstacle-row">
        {drop && (
          <>
            <button
              type="button"
              className="button small"
              disabled={busy || keep === undefined}
              title={keep ? "Take it back, and keep what these edits did" : "Nothing of these edits can stay"}
              onClick={() => void keep?.choose()}
            >
              {keep?.label ?? "Keep"}
            </button>
            <button
              type="button"
              className="button small danger"
              disabled={busy}
              title="Take it back, and these edits too"
              onClick={() => void drop.choose()}
            >
              {drop.label}
            </button>
          </>
        )}
        <button
          type="button"
          className="button quiet small"
          title={drop && "Leave everything as it is"}
          onClick={takeBack.dismiss}
        >
          {drop ? "Cancel" : "Dismiss"}
        </button>
      </div>
    </div>
  );
}

function DependentItem({ line: { actor, version, before, after, stays } }: { line: DependentLine }) {
  const { user } = useSession();
  return (
    <li className="dependent">
      <p className="dependent-by">
        {actor && (
          <>
            <Mark kind={actor.kind} size={8} />
            <span className="dependent-name">{nameOf(actor, user)}</span>
          </>
        )}
        {version !== undefined && <span className="number">{`v${version}`}</span>}
      </p>
      <dl>
        <div>
          <dt>Before</dt>
          <dd>
            <Words>{before}</Words>
          </dd>
        </div>
        {after !== undefined && (
          <div>
            <dt>After</dt>
            <dd>
              <Words>{after}</Words>
            </dd>
          </div>
        )}
      </dl>
      {stays === false && <p className="dependent-gone">It cannot stay: what it changed goes too.</p>}
    </li>
  );
}
