// On a narrow page one pane shows at a time; a dot says that another one has news.

import { useState } from "react";
import { useStore } from "zustand";
import { BoardIcon, ChatIcon, TimelineIcon } from "./icons.tsx";
import type { PaneName } from "./page-view.ts";
import { useSession } from "./session-context.ts";

const panes = [
  { name: "chat", label: "Agent", Icon: ChatIcon },
  { name: "board", label: "Board", Icon: BoardIcon },
  { name: "timeline", label: "Log", Icon: TimelineIcon },
] as const;

export function PaneTabs({ pane, onPane }: { pane: PaneName; onPane: (pane: PaneName) => void }) {
  const { chat, log } = useSession();
  const said = useStore(chat, ({ items }) => items.length);
  const done = useStore(log, ({ entries }) => entries[0]?.key);
  const news = { chat: useNews(said, pane === "chat"), timeline: useNews(done, pane === "timeline"), board: false };
  return (
    <nav className="tabs" aria-label="Panes">
      {panes.map(({ name, label, Icon }) => (
        <button key={name} type="button" className="tab" aria-current={pane === name ? "page" : undefined} onClick={() => onPane(name)}>
          <Icon />
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

/** Whether a value changed since its pane was last looked at. What is there at first is not news. */
function useNews(value: unknown, looking: boolean): boolean {
  const [seen, setSeen] = useState(value);
  if ((looking || seen === undefined) && seen !== value) setSeen(value);
  return !looking && seen !== undefined && seen !== value;
}
