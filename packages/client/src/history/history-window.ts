// The window of a history feed: consecutive entries, newest first, that grow at both ends.
//
// Invariants:
// - Its commits are contiguous; no entry is repeated.
// - A refusal stands before the commit that was the newest one when it was refused.

import type { HistoryEntry } from "@opstate/core";
import { sameActor } from "@opstate/core/thread";

type Entry<Operation> = HistoryEntry<Operation>;
export type Window<Operation> = readonly Entry<Operation>[];

/** The version of the newest commit; 0 when there is none. */
export function topOf<Operation>(window: Window<Operation>): number {
  return window.find(isCommit)?.commit.version ?? 0;
}

/** The version of the oldest commit; undefined when there is none. */
export function bottomOf<Operation>(window: Window<Operation>): number | undefined {
  return window.findLast(isCommit)?.commit.version;
}

/**
 * Inserts one entry in its place. Returns the same window when it has the entry already, or when
 * the entry is older than the window: its page will have it.
 */
export function insert<Operation>(window: Window<Operation>, entry: Entry<Operation>): Window<Operation> {
  if (entry.kind === "commit" && entry.commit.version <= topOf(window)) return window;
  if (window.some((other) => isSame(other, entry))) return window;
  const at = window.findIndex((other) => order(other) <= order(entry));
  if (at < 0) return window.length === 0 ? [entry] : window;
  return window.toSpliced(at, 0, entry);
}

/**
 * Puts the newest page in front. Where the two do not overlap, entries between them are unknown, so
 * the window becomes the page.
 */
export function joinNewest<Operation>(page: Window<Operation>, window: Window<Operation>): Window<Operation> {
  const last = page.at(-1);
  // A page that does not end with a commit reaches the beginning of the history.
  if (last?.kind !== "commit" || last.commit.version > topOf(window)) return page;
  return [...page, ...window.filter((entry) => order(entry) < order(last))];
}

/** Appends the next older page. */
export function joinOlder<Operation>(window: Window<Operation>, page: Window<Operation>): Window<Operation> {
  const last = window.at(-1);
  return last === undefined ? page : [...window, ...page.filter((entry) => order(entry) < order(last))];
}

/** Keeps at most `limit` entries and ends with a commit, where the next page begins. */
export function trim<Operation>(window: Window<Operation>, limit: number): Window<Operation> {
  if (window.length <= limit) return window;
  const kept = window.slice(0, limit);
  return kept.slice(0, kept.findLastIndex(isCommit) + 1);
}

function isCommit<Operation>(entry: Entry<Operation>): entry is Entry<Operation> & { readonly kind: "commit" } {
  return entry.kind === "commit";
}

function order<Operation>(entry: Entry<Operation>): number {
  return entry.kind === "commit" ? entry.commit.version : entry.refusal.version + 0.5;
}

function isSame<Operation>(a: Entry<Operation>, b: Entry<Operation>): boolean {
  if (a.kind === "commit" || b.kind === "commit") return a.kind === b.kind && order(a) === order(b);
  const [one, other] = [a.refusal, b.refusal];
  return one.id === other.id && sameActor(one.actor, other.actor);
}
