// Who changed what since an operation was proposed.

import type { AnyOperation, Proposal } from "@opstate/core";
import type { LogEntry } from "../timeline/log-entry.ts";
import { cardIdOf } from "./preview.ts";

export interface ChangesSince {
  /** The newest changes, oldest first. */
  readonly newest: readonly LogEntry[];
  /** How many changes came before these. */
  readonly earlier: number;
  /** The version up to which changes are listed. */
  readonly upTo: number;
}

export const NO_CHANGES_SINCE: ChangesSince = { newest: [], earlier: 0, upTo: 0 };

const MAX_SHOWN = 5;

/**
 * The changes to the card that the operation names. If there are none, or it names no card, all
 * changes. `entries` are newest first.
 */
export function changesSince(
  { operation, version }: Pick<Proposal, "operation" | "version">,
  entries: readonly LogEntry[],
): ChangesSince {
  const later = entries.filter(
    (entry) => entry.accepted && entry.version > version && entry.kind !== "propose" && entry.kind !== "decline",
  );
  const cardId = cardIdOf(operation);
  const about = cardId === undefined ? [] : later.filter(({ cardIds }) => cardIds.includes(cardId));
  const all = about.length > 0 ? about : later;
  return {
    newest: all.slice(0, MAX_SHOWN).toReversed(),
    earlier: Math.max(0, all.length - MAX_SHOWN),
    upTo: entries.find(({ accepted }) => accepted)?.version ?? version,
  };
}

/** A warning for an operation that overwrites more than it names. */
export function approveAnywayWarning({ type }: AnyOperation): string | undefined {
  return type === "$replace"
    ? "Doing it anyway replaces the board as it is now, including these changes. Undo brings them back."
    : undefined;
}

export const earlierText = (earlier: number): string =>
  earlier === 1 ? "and 1 change before" : `and ${earlier} changes before`;
