// Beside the board: the log, what waits for a decision, and the branch while there is one.

import { type KeyboardEvent, useId } from "react";
import { useStore } from "zustand";
import { BranchPanel } from "./branch/branch-panel.tsx";
import type { SideTab } from "@opstate/kanban-page/page-view.ts";
import { ProposalsPanel } from "./proposals/proposals-panel.tsx";
import { useSession } from "./session-context.ts";
import { TimelinePanel } from "./timeline/timeline-panel.tsx";

const panels = { timeline: TimelinePanel, proposals: ProposalsPanel, branch: BranchPanel };

export function SidePane() {
  const { view, proposals, branch } = useSession();
  const wanted = useStore(view, ({ tab }) => tab);
  const waiting = useStore(proposals, ({ lines }) => lines.length);
  const changes = useStore(branch, (state) => state.branch?.lines.length);
  const id = useId();
  const tabs: readonly { readonly name: SideTab; readonly label: string; readonly count?: number }[] = [
    { name: "timeline", label: "Timeline" },
    { name: "proposals", label: "Proposals", count: waiting },
    ...(changes === undefined ? [] : [{ name: "branch" as const, label: "Branch", count: changes }]),
  ];
  const tab = tabs.some(({ name }) => name === wanted) ? wanted : "timeline";
  const Panel = panels[tab];

  function press(event: KeyboardEvent) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(tabs.findIndex(({ name }) => name === tab) + step + tabs.length) % tabs.length];
    if (step === 0 || !next) return;
    view.tab(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  }

  return (
    <section className="pane timeline-pane" aria-label="Log">
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
    </section>
  );
}
