// Below 1100 px one pane at a time: which one, chosen at the bottom of the page.

import type { ReactNode } from "react";
import { ChatIcon, EventsIcon, TreeIcon } from "./icons.tsx";

export type PaneName = "chat" | "state" | "events";

const panes: readonly { readonly name: PaneName; readonly label: string; readonly icon: ReactNode }[] = [
  { name: "chat", label: "Chat", icon: <ChatIcon /> },
  { name: "state", label: "State", icon: <TreeIcon /> },
  { name: "events", label: "Events", icon: <EventsIcon /> },
];

interface PaneTabsProps {
  readonly pane: PaneName;
  readonly onPane: (pane: PaneName) => void;
  /** Conflicts and warnings, which the state's pane shows. */
  readonly problems: number;
}

export function PaneTabs({ pane, onPane, problems }: PaneTabsProps) {
  return (
    <nav className="tabs" aria-label="Panes">
      {panes.map(({ name, label, icon }) => (
        <button key={name} type="button" className="tab" aria-current={pane === name ? "page" : undefined} onClick={() => onPane(name)}>
          {icon}
          {label}
          {name === "state" && problems > 0 && <span className="news" role="img" aria-label={`${problems} problems`} />}
        </button>
      ))}
    </nav>
  );
}
