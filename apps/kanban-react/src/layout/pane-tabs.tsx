// The tabs of a narrow page, which shows one pane at a time. A dot marks a pane with news.

import { useState } from "react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { type PaneName, PANES } from "@opstate/kanban-page/layout/page-view.ts";
import { useSession } from "../session-context.ts";

export function PaneTabs({ pane, onPane }: { pane: PaneName; onPane: (pane: PaneName) => void }) {
  const { chat, log } = useSession();
  const said = useStore(chat, ({ items }) => items.length);
  const done = useStore(log, ({ entries }) => entries[0]?.key);
  const news = { chat: useNews(said, pane === "chat"), timeline: useNews(done, pane === "timeline"), board: false };
  return (
    <nav className="tabs" aria-label="Panes">
      {PANES.map(({ name, label, icon }) => (
        <button
          key={name}
          type="button"
          className="tab"
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
