// The positions of commits, runs and groups along the slider, in percent of its length.

import { groupRuns } from "../timeline/group-runs.ts";
import { type LogEntry, markOf } from "../timeline/log-entry.ts";
import { GROUP_PLACES, type VersionWindow } from "./window.ts";

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

/** The commits before or after those with a tick of their own. */
export interface TickGroup {
  readonly key: "older" | "newer";
  readonly count: string;
  readonly left: number;
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact" });

export function versionTicks(
  commits: readonly LogEntry[],
  { from, to, min, max, older, newer }: VersionWindow,
): { runs: readonly RunSpan[]; ticks: readonly Tick[]; groups: readonly TickGroup[] } {
  const place = (version: number) => ((version - min) / (max - min)) * 100;
  const shown = commits.filter(({ version }) => version >= from && version <= to);
  const runs = groupRuns(shown).flatMap((item) => (item.kind === "run" ? [item.run.entries] : []));
  return {
    runs: runs.map((entries) => {
      const [start, end] = [entries.at(-1)?.version ?? 0, entries[0]?.version ?? 0];
      return { key: `${start}-${end}`, left: place(start), width: place(end) - place(start) };
    }),
    ticks: shown.map((entry) => ({
      key: entry.key,
      version: entry.version,
      kind: markOf(entry),
      left: place(entry.version),
    })),
    groups: [
      { key: "older" as const, many: older, at: from - GROUP_PLACES / 2 - 0.5 },
      { key: "newer" as const, many: newer, at: to + GROUP_PLACES / 2 + 0.5 },
    ].flatMap(({ key, many, at }) => (many > 0 ? [{ key, count: SHORT.format(many), left: place(at) }] : [])),
  };
}
