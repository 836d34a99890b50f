// The timeline's entries with runs as brackets. A bracket spans a run's newest to its oldest entry,
// with entries of others in between.

import type { LogEntry } from "./log-entry.ts";

export interface Run {
  readonly runId: string;
  /** Newest first; includes what others did meanwhile. */
  readonly entries: readonly LogEntry[];
  /** The run's own entries that can be undone. */
  readonly edits: readonly LogEntry[];
}

export type TimelineItem =
  | { readonly kind: "entry"; readonly entry: LogEntry }
  | { readonly kind: "run"; readonly run: Run };

export function groupRuns(entries: readonly LogEntry[]): readonly TimelineItem[] {
  const last = new Map<string, number>();
  entries.forEach(({ runId }, index) => runId !== undefined && last.set(runId, index));
  const items: TimelineItem[] = [];
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry === undefined) break;
    const end = entry.runId === undefined ? undefined : last.get(entry.runId);
    if (entry.runId === undefined || end === undefined) {
      items.push({ kind: "entry", entry });
      continue;
    }
    const { runId } = entry;
    const inside = entries.slice(index, end + 1);
    const edits = inside.filter((each) => each.runId === runId && each.accepted && each.kind !== "decline");
    items.push({ kind: "run", run: { runId, entries: inside, edits } });
    index = end;
  }
  return items;
}
