// Who else is here, and the card that each of them is at.

import { MAX_PEOPLE, peopleHere } from "@opstate/kanban-page/presence/people-here.ts";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { Board } from "../board-context.ts";
import { useSession } from "../session-context.ts";

export function HereNow() {
  const { user } = useSession();
  const { participants } = Board.usePresence();
  const board = Board.useAgentState();
  const people = peopleHere(participants, board, user);
  if (people.length === 0) return null;
  return (
    <ul className="here" aria-label="Here now" data-testid="here">
      {people.slice(0, MAX_PEOPLE).map(({ key, kind, name, cardId, cardTitle, sentence }) => (
        <li key={key} className="here-one" title={sentence}>
          <Mark kind={kind} size={8} />
          <span className="here-name">{name}</span>
          {cardId !== undefined && (
            <span className="here-at">
              {cardTitle !== undefined && <span className="here-title">{cardTitle}</span>}
              <span className="mono">{cardId}</span>
            </span>
          )}
        </li>
      ))}
      {people.length > MAX_PEOPLE && <li className="here-one number">{`+${people.length - MAX_PEOPLE}`}</li>}
    </ul>
  );
}
