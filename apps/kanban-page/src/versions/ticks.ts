// The positions of commits and runs along the slider, in percent of its length.

import { groupRuns } from "../timeline/group-runs.ts";
import type { LogEntry } from "../timeline/log-entry.ts";

export interface RunSpan {
  readonly key: string;
  readonly left: number;
  readonly width: number;
}

export interface Tick {
  readonly key: string;
  readonly kind: string;
  readonly version: number;
  readonly left: number;
}

export function versionTicks(
  commits: readonly LogEntry[],
  first: number,
  head: number,
): { runs: readonly RunSpan[]; ticks: readonly Tick[] } {
  const span = Math.max(1, head - first);
  const place = (version: number) => ((version - first) / span) * 100;
  const runs = groupRuns(commits).flatMap((item) => (item.kind === "run" ? [item.run.entries] : []));
  return {
    runs: runs.map((entries) => {
      const [from, to] = [entries.at(-1)?.version ?? 0, entries[0]?.version ?? 0];
      return { key: `${from}-${to}`, left: place(from), width: place(to) - place(from) };
    }),
    ticks: commits.map(({ key, version, kind, actor }) => ({
      key,
      version,
      kind: kind === "undo" ? "undo" : actor.kind,
      left: place(version),
    })),
  };
}
