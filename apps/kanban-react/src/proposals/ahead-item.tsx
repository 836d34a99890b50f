// A card that the agent is about to add, move or change. A refused one says why.

import { nameOf } from "@opstate/kanban-page/actor-name.ts";
import { dismissIntent } from "@opstate/kanban-page/chat/follow-agent.ts";
import type { AheadCard } from "@opstate/kanban-page/ahead.ts";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { Mark } from "@opstate/ui/react/mark.tsx";
import { PriorityIcon } from "../board/priority-icon.tsx";
import { useSession } from "../session-context.ts";

export function AheadItem({ ahead: { id, actor, card, label, reason } }: { ahead: AheadCard }) {
  const { user, thread } = useSession();
  return (
    <li
      className="card ghost ahead"
      data-ahead={label.toLowerCase()}
      data-still=""
      aria-label={`${label}: ${card.title}, by ${nameOf(actor, user)}`}
    >
      <p className="card-title">{card.title}</p>
      {reason !== undefined && <p className="ahead-reason">{reason}</p>}
      <div className="card-meta">
        <Mark kind={actor.kind} size={9} />
        <span className="ghost-label">{label}</span>
        <span className="priority number" data-priority={card.priority}>
          <PriorityIcon priority={card.priority} />
          {`P${card.priority}`}
        </span>
        <span className="push" />
        {reason !== undefined && (
          <button
            type="button"
            className="button quiet small icon"
            aria-label={`Dismiss: ${card.title}`}
            title="Dismiss"
            onClick={() => dismissIntent(thread, id)}
          >
            <Icon name="cross" />
          </button>
        )}
      </div>
    </li>
  );
}
