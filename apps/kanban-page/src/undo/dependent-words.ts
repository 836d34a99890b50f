// Later edits that would do something else without what is taken back, in words: what each did, and
// what it would do now.

import type { Dependent, Dependents } from "@opstate/client";
import type { Actor } from "@opstate/core";
import type { LogEntry } from "../timeline/log-entry.ts";

export interface DependentLine {
  readonly key: string;
  /** Absent while the page's log does not reach back to it. */
  readonly actor?: Actor;
  readonly version?: number;
  /** What it did: `Move 'Dark mode' (T-1): Backlog -> Done`. */
  readonly before: string;
  /** What it would do now. Only the first few are described. */
  readonly after?: string;
  /** Whether it can be kept; undefined: that is not known. */
  readonly stays: boolean | undefined;
}

/** `entries` are newest first. */
export function dependentLines({ named }: Dependents, entries: readonly LogEntry[]): readonly DependentLine[] {
  return named.map((dependent) => {
    const { id, version, sentence, would, stays } = dependent;
    const entry = entries.find(
      (each) => each.accepted && (version === undefined ? each.id === id : each.version === version),
    );
    return {
      key: id,
      ...(entry && { actor: entry.actor, version: entry.version }),
      before: entry?.sentence ?? sentence ?? "An edit further back in the log",
      ...(would !== undefined && { after: nowWords(dependent, would) }),
      stays,
    };
  });
}

/** The label of the button that keeps them; undefined when nothing of them can be kept. */
export function keepLabel(lines: readonly DependentLine[], total: number): string | undefined {
  if (lines.length < total || lines.some(({ stays }) => stays === undefined)) return "Keep what can stay";
  const count = lines.filter(({ stays }) => stays).length;
  if (count === 0) return undefined;
  return count === total ? "Keep" : `Keep ${count} of ${total}`;
}

export const laterEdits = (count: number): string => `${count} later ${count === 1 ? "edit" : "edits"}`;

/** The board's refusals name ids, which mean nothing once the thing is gone. */
const REFUSED: Readonly<Record<string, string>> = {
  card_not_found: "Could not be done: its card would not be there",
  column_not_found: "Could not be done: its column would not be there",
  card_elsewhere: "Could not be done: its card would be in another column",
};

function nowWords({ reason = "" }: Dependent, would: string): string {
  return REFUSED[reason] ?? capital(would);
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
