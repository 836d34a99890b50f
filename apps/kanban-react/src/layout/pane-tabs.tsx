// The tabs of a narrow page, which shows one pane at a time. A dot marks a pane with news.

import { transcript } from "@opstate/kanban-page/chat/transcript.ts";
import { useChat } from "@opstate/react";
import { useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { type PaneName, PANES } from "@opstate/kanban-page/layout/page-view.ts";
import { useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";

export function PaneTabs({ pane, onPane }: { pane: PaneName; onPane: (pane: PaneName) => void }) {
  const said = useChat(useSession().chat, (chat) => transcript(chat).length);
  const done = useLog(({ entries }) => entries[0]?.key);
  const news = { chat: useNews(said, pane === "chat"), timeline: useNews(done, pane === "timeline"), board: false };
  return (
    <nav className="tabs" aria-label="Panes">
      {PANES.map(({ name, label, icon }) => (
        <button
          key={name}
          type="button"
          className="tab"
          data-tab={name}
          aria-current={pane === name ? "page" : undefined}
          onClick={() => onPane(name)}
        >
          <Icon name={icon} />
          {label}
          {news[name] && (
            <span className="news">
              <span className="spoken">has news</span>
            </span>
          )}
        </button>
      ))}
    </nav>
  );
}

/** Whether a value changed since its pane was last shown. The first value is not news. */
function useNews(value: unknown, looking: boolean): boolean {
  const [seen, setSeen] = useState(value);
  if ((looking || seen === undefined) && seen !== value) setSeen(value);
  return !looking && seen !== undefined && seen !== value;
}
