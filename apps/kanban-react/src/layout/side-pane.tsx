// The pane beside the board: the log, proposals, and the state.

import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useStore } from "zustand";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { Board } from "../board-context.ts";
import { attachLogRail, pressRail, railButtons } from "@opstate/kanban-page/layout/log-rail.ts";
import { sideTabs, tabBeside } from "@opstate/kanban-page/layout/side-tabs.ts";
import { ProposalsPanel, StatePanel, TimelinePanel } from "../late-parts.ts";
import { useSession } from "../session-context.ts";

const panels = { timeline: TimelinePanel, proposals: ProposalsPanel, state: StatePanel };

export function SidePane() {
  const { view } = useSession();
  const tab = useStore(view, (state) => state.tab);
  const open = useStore(view, ({ logOpen }) => logOpen);
  const waiting = Board.useProposals().proposals.length;
  const id = useId();
  const tabs = sideTabs(waiting);
  const Panel = panels[tab];

  const pane = useRef<HTMLElement>(null);
  useEffect(() => (pane.current ? attachLogRail(pane.current, view) : undefined), [view]);

  function press(event: KeyboardEvent) {
    const next = tabBeside(tabs, tab, event.key);
    if (next === undefined) return;
    view.tab(next);
    document.getElementById(`${id}-${next}`)?.focus();
  }

  return (
    <section className="pane timeline-pane" aria-label="Log" data-open={open ? "" : undefined} ref={pane}>
      <div className="log-rail" data-rail="">
        {railButtons(tabs, tab, open).map((button) => (
          <button
            key={button.tab}
            type="button"
            className="button quiet icon rail-button"
            aria-label={button.label}
            aria-expanded={button.expanded}
            aria-controls={`${id}-log`}
            title={button.label}
            onClick={() => pressRail(view, button)}
          >
            <Icon name={button.icon} />
            {button.count > 0 && <span className="badge number">{button.count}</span>}
          </button>
        ))}
      </div>
      <div className="log-drawer" id={`${id}-log`}>
        <div className="pane-head side-tabs" role="tablist" aria-label="Log" onKeyDown={press}>
          {tabs.map(({ name, label, count }) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              className="side-tab"
              aria-selected={name === tab}
              aria-controls={`${id}-panel`}
              tabIndex={name === tab ? 0 : -1}
              onClick={() => view.tab(name)}
            >
              {label}
              {count ? <span className="badge number">{count}</span> : null}
            </button>
          ))}
        </div>
        <div className="side-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
          <Panel />
        </div>
      </div>
    </section>
  );
}
