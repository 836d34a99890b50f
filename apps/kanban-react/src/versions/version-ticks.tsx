// The commits as marks along the slider, those of a run joined by a bracket, and what does not fit
// as numbers. For the eye only: the slider says the same in words.

import { Mark } from "@opstate/ui/react/mark.tsx";
import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { versionTicks } from "@opstate/kanban-page/versions/ticks.ts";
import type { VersionWindow } from "@opstate/kanban-page/versions/window.ts";

export interface VersionTicksProps {
  readonly commits: readonly LogEntry[];
  readonly shown: VersionWindow;
  readonly at: number;
}

export function VersionTicks({ commits, shown, at }: VersionTicksProps) {
  const { runs, ticks, groups } = versionTicks(commits, shown);
  return (
    <div className="version-ticks" aria-hidden="true">
      {runs.map(({ key, left, width }) => (
        <span key={key} className="version-run" style={{ left: `${left}%`, width: `${width}%` }} />
      ))}
      {ticks.map(({ key, kind, version, left }) => (
        <span
          key={key}
          className="version-tick"
          data-kind={kind}
          data-later={version > at ? "" : undefined}
          data-at={version === at ? "" : undefined}
          style={{ left: `${left}%` }}
        >
          <Mark kind={kind} size={8} />
        </span>
      ))}
      {groups.map(({ key, count, left }) => (
        <span key={key} className="version-group number" data-group={key} style={{ left: `${left}%` }}>
          {count}
        </span>
      ))}
    </div>
  );
}
