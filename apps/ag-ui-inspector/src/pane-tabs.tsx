// The tabs of a page below 1100 px, which shows one pane at a time.

import { Icon } from "@opstate/ui/react/icon.tsx";

export type PaneName = "chat" | "state" | "events";

const PANES = [
  { name: "chat", label: "Chat", icon: "chat" },
  { name: "state", label: "State", icon: "tree" },
  { name: "events", label: "Events", icon: "timeline" },
] as const;

interface PaneTabsProps {
  readonly pane: PaneName;
  readonly onPane: (pane: PaneName) => void;
  /** The number of conflicts and warnings in the state's pane. */
  readonly problems: number;
}

export function PaneTabs({ pane, onPane, problems }: PaneTabsProps) {
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
          {name === "state" && problems > 0 && <span className="news" role="img" aria-label={`${problems} problems`} />}
        </button>
      ))}
    </nav>
  );
}
