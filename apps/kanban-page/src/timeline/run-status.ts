// The summary of a run: what it did, whether that is undone, and the one action for all of it.

import type { UndoTarget } from "@opstate/core/thread";
import type { Run } from "./group-runs.ts";
import type { Log } from "./log.ts";
import type { LogEntry } from "./log-entry.ts";
import { entryText } from "./entry-words.ts";

export interface RunStatus {
  /** "2 changes". */
  readonly what: string;
  readonly undone: boolean;
  readonly step: RunStep | undefined;
}

export interface RunStep {
  readonly icon: "undo" | "redo";
  readonly label: string;
  readonly title: string;
  /** Announced afterwards. */
  readonly announcement: string;
  /** What is taken back. To redo is to take back the undo. */
  readonly target: UndoTarget;
}

export function runStatus(
  { runId, edits }: Run,
  { entries, undone }: Pick<Log, "entries" | "undone">,
  hasOpenProposals: boolean,
): RunStatus {
  const actions = edits.filter(({ kind }) => kind !== "approve");
  const proposed = actions.length > 0 && actions.every(({ kind }) => kind === "propose");
  // Of a run that only proposed, the accepted proposals can be undone.
  const done = proposed ? acceptedOf(edits, entries) : edits;
  const inForce = done.filter(({ version }) => !undone.has(version));
  const undoneBy = done.map(({ version }) => undone.get(version)).find((undo) => undo !== undefined);
  const what =
    edits.length === 0
      ? "nothing changed"
      : count(proposed ? actions.length : edits.length, proposed ? "proposal" : "change");
  const undo = { icon: "undo", announcement: `The run is taken back: ${what}` } as const;
  const target = proposed ? { ids: inForce.map(({ id }) => id) } : { runId };
  return {
    what,
    undone: done.length > 0 && inForce.length === 0,
    step:
      inForce.length > 0
        ? { ...undo, label: "Undo this run", title: "Take back what this run did; later edits stay", target }
        : proposed && hasOpenProposals
          ? { ...undo, label: "Withdraw", title: "Take back what this run proposed", target: { runId } }
          : undoneBy && redo(undoneBy, entryText(undoneBy, entries), what),
  };
}

function redo({ id }: LogEntry, words: string, what: string): RunStep {
  return {
    icon: "redo",
    label: "Redo this run",
    title: `Bring it back: ${words}`,
    announcement: `The run is done again: ${what}`,
    target: { ids: [id] },
  };
}

function acceptedOf(proposed: readonly LogEntry[], all: readonly LogEntry[]): readonly LogEntry[] {
  const versions = new Set(proposed.map(({ version }) => version));
  return all.filter(({ kind, proposedAt = 0 }) => kind === "approve" && versions.has(proposedAt));
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
