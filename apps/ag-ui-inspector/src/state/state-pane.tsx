// The agent's state as a tree, with custom values, conflicts and warnings.

import type { ChatState } from "@opstate/ag-ui";
import { type KeyboardEvent, useState } from "react";
import { Icon } from "@opstate/ui/react/icon.tsx";
import { NO_CHANGES } from "@opstate/ui/tree/changed-paths.ts";
import { ConflictList } from "./conflict-list.tsx";
import { sizeOf } from "@opstate/ui/tree/tree-rows.ts";
import { TreeView } from "@opstate/ui/react/tree-view.tsx";
import { useTrackedState } from "@opstate/ui/react/use-tracked-state.ts";
import { WarningList } from "./warning-list.tsx";

type View = "state" | "custom" | "conflicts" | "warnings";

export function StatePane({ state: { state, custom, conflicts, warnings } }: { state: ChatState }) {
  const [view, setView] = useState<View>("state");
  const { changes, count } = useTrackedState(state);
  const views: readonly {
    readonly name: View;
    readonly label: string;
    readonly size: number | undefined;
    readonly bad?: boolean;
  }[] = [
    { name: "state", label: "State", size: undefined },
    { name: "custom", label: "Custom", size: Object.keys(custom).length },
    { name: "conflicts", label: "Conflicts", size: conflicts.length, bad: true },
    { name: "warnings", label: "Warnings", size: warnings.length },
  ];

  function press({ key }: KeyboardEvent) {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const next = views[(views.findIndex(({ name }) => name === view) + step + views.length) % views.length];
    if (step === 0 || next === undefined) return;
    setView(next.name);
    document.getElementById(`view-${next.name}`)?.focus();
  }

  return (
    <section className="pane state-pane" aria-labelledby="state-title">
      <header className="pane-head">
        <Icon name="tree" />
        <h2 id="state-title" className="spoken">
          State
        </h2>
        <div className="views" role="tablist" aria-label="Views of the state" onKeyDown={press}>
          {views.map(({ name, label, size, bad }) => (
            <button
              key={name}
              id={`view-${name}`}
              type="button"
              role="tab"
              className="view"
              aria-selected={view === name}
              aria-controls="state-view"
              tabIndex={view === name ? 0 : -1}
              data-bad={(bad === true && (size ?? 0) > 0) || undefined}
              onClick={() => setView(name)}
            >
              {label}
              {size !== undefined && size > 0 && <span className="size number">{size}</span>}
            </button>
          ))}
        </div>
      </header>
      <div id="state-view" className="state-view" role="tabpanel" aria-labelledby={`view-${view}`}>
        {view === "state" &&
          (sizeOf(state) === 0 ? (
            <p className="empty">The state is empty. It comes with the agent's first STATE_SNAPSHOT or STATE_DELTA.</p>
          ) : (
            <TreeView
              key="state"
              value={state}
              name="state"
              label="State of the agent"
              changes={changes}
              flash={count}
            />
          ))}
        {view === "custom" &&
          (Object.keys(custom).length === 0 ? (
            <p className="empty">
              No custom events yet. The last value of each CUSTOM event appears here, by its name.
            </p>
          ) : (
            <TreeView key="custom" value={custom} name="custom" label="Custom values" changes={NO_CHANGES} flash={0} />
          ))}
        {view === "conflicts" && <ConflictList conflicts={conflicts} />}
        {view === "warnings" && <WarningList warnings={warnings} />}
      </div>
    </section>
  );
}
