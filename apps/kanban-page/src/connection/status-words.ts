// How the connection stands, in words: for the line at the foot of the page and for who hears it.

import type { Sync } from "@opstate/core";

type Status = Sync["status"];

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  online: "Live",
  connecting: "Connecting",
  offline: "Offline",
  unauthenticated: "Signed out",
  forbidden: "No access",
  not_found: "Not found",
  closed: "Closed",
};

/** What does not heal by itself, and what to do about it. */
const LASTING: Partial<Record<Status, string>> = {
  unauthenticated: "Sign in to go on",
  forbidden: "You may not open this board",
  not_found: "There is no such board any more",
  closed: "Reload the page to go on",
};

export function statusSentence(status: Status, pending: number): string {
  const sentence = LASTING[status];
  if (sentence !== undefined) return pending === 0 ? sentence : `${sentence}. ${edits(pending)} not sent`;
  if (status === "online") return pending === 0 ? "All edits saved" : `Saving ${edits(pending)}`;
  if (pending > 0) return `${edits(pending)} waiting, sent when the connection is back`;
  return status === "offline" ? "You can keep editing" : "";
}

/** What stands in the board's place while there is none. */
export function noBoardWords(status: Status): { readonly title: string; readonly text: string } {
  const sentence = LASTING[status];
  if (sentence !== undefined) return { title: STATUS_NAMES[status], text: `${sentence}.` };
  if (status === "offline")
    return { title: "The board cannot be reached", text: "It opens by itself as soon as the server answers." };
  return { title: "Opening the board", text: "One moment." };
}

/** What is said when it changes; nothing when nobody has to know. */
export function spokenStatus(before: Status, status: Status, pending: number): string | undefined {
  if (status === before) return undefined;
  if (LASTING[status] !== undefined) return `${STATUS_NAMES[status]}. ${statusSentence(status, pending)}.`;
  if (status === "offline") return "Offline. You can keep editing.";
  const wasLost = before === "offline" || LASTING[before] !== undefined;
  return wasLost && status === "online" ? `Connected again. ${statusSentence(status, pending)}.` : undefined;
}

/**
 * The connection as a person wants to know it: while it tries again and again, it is offline;
 * "connecting" is only the first time.
 */
export const stableStatus = (before: Status, status: Status): Status => (status === "connecting" ? before : status);

const edits = (count: number): string => `${count} ${count === 1 ? "edit" : "edits"}`;
