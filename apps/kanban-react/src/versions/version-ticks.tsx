// The commits as marks along the slider, those of a run joined by a bracket. For the eye only: the slider says the same in words.

import { Mark } from "@opstate/ui/react/mark.tsx";
import { groupRuns } from "@opstate/kanban-page/timeline/group.ts";
import type { LogEntry } from "@opstate/kanban-page/timeline/narrate.ts";

export interface VersionTicksProps {
  readonly commits: readonly LogEntry[];
  readonly first: number;
  readonly head: number;
  readonly at: number;
}

export function VersionTicks({ commits, first, head, at }: VersionTicksProps) {
  const span = Math.max(1, head - first);
  const place = (version: number) => (version - first) / span;
  const runs = groupRuns(commits).flatMap((item) => (item.kind === "run" ? [item.run.entries] : []));
  return (
    <div className="version-ticks" aria-hidden="true">
      {runs.map((entries) => {
        const [from, to] = [entries.at(-1)?.version ?? 0, entries[0]?.version ?? 0];
        const width = place(to) - place(from);
        return <span key={`${from}-${to}`} className="version-run" style={{ left: `${place(from) * 100}%`, width: `${width * 100}%` }} />;
      })}
      {commits.map(({ key, version, kind, actor }) => (
        <span
          key={key}
          className="version-tick"
          data-kind={kind === "undo" ? "undo" : actor.kind}
          data-later={version > at ? "" : undefined}
          data-at={version === at ? "" : undefined}
          style={{ left: `${place(version) * 100}%` }}
        >
          <Mark kind={kind === "undo" ? "undo" : actor.kind} size={8} />
        </span>
      ))}
    </div>
  );
}
