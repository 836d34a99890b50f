// What prevents an undo, with a button to undo the dependents, too.

import { useStore } from "zustand";
import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { useSession } from "../session-context.ts";
import { Words } from "../words.tsx";
import { laterEdits } from "@opstate/kanban-page/undo/take-back.ts";

export function ObstacleNote({ about }: { about: string }) {
  const { takeBack, user } = useSession();
  const { obstacle, busy } = useStore(takeBack);
  if (obstacle?.about !== about) return null;
  const { message, dependents, drop } = obstacle;
  return (
    <div className="obstacle" role="group" aria-label="Not taken back" data-testid="obstacle">
      <p>
        <Words>{message}</Words>
      </p>
      {dependents.length > 0 && (
        <ul>
          {dependents.map(({ key, actor, sentence, version }) => (
            <li key={key}>
              <Mark kind={actor.kind} size={8} />
              <span>
                {`${nameOf(actor, user)}, v${version}: `}
                <Words>{sentence}</Words>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="obstacle-row">
        {drop && (
          <button type="button" className="button small danger" disabled={busy} onClick={() => void drop()}>
            {`Undo and drop ${laterEdits(Math.max(1, dependents.length))}`}
          </button>
        )}
        <button type="button" className="button quiet small" onClick={takeBack.dismiss}>
          {drop ? "Keep everything" : "Dismiss"}
        </button>
      </div>
    </div>
  );
}
