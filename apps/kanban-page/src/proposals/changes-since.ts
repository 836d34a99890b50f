// Who changed what since something was proposed.

import type { Proposal } from "@opstate/core";
import type { LogEntry } from "../timeline/log-entry.ts";
import { cardIdOf } from "./preview.ts";

export interface ChangesSince {
  /** Oldest first; the newest of many. */
  readonly newest: readonly LogEntry[];
  /** How many before these. */
  readonly earlier: number;
  /** The newest version that is told of. */
  readonly upTo: number;
}

export const NO_CHANGES_SINCE: ChangesSince = { newest: [], earlier: 0, upTo: 0 };

const MAX_SHOWN = 5;

/**
 * What was done to the card that it names; without such a card, or when nothing was, all that was
 * done. `entries` are newest first.
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

/** What doing it anyway means, where that is more than it says. */
export function approveAnywayWarning({ type }: { readonly type: string }): string | undefined {
  return type === "$replace"
    ? "Done anyway, it replaces the board as it is now, these changes too. Undo brings them back."
    : undefined;
}

export const earlierText = (earlier: number): string =>
  earlier === 1 ? "and 1 change before" : `and ${earlier} changes before`;
