// How the connection stands, in words: for the line at the foot of the page and for who hears it.

import type { Sync } from "@opstate/core";

type Status = Sync["status"];

export const statusNames: Readonly<Record<Status, string>> = { online: "Live", connecting: "Connecting", offline: "Offline" };

export function statusSentence(status: Status, pending: number): string {
  if (status === "online") return pending === 0 ? "All edits saved" : `Saving ${edits(pending)}`;
  if (pending > 0) return `${edits(pending)} waiting, sent when the connection is back`;
  return status === "offline" ? "You can keep editing" : "";
}

/** What is said when it changes; nothing when nobody has to know. */
export function spokenStatus(before: Status, status: Status, pending: number): string | undefined {
  if (status === before) return undefined;
  if (status === "offline") return "Offline. You can keep editing.";
  return before === "offline" ? `Connected again. ${statusSentence(status, pending)}.` : undefined;
}

/** The connection as a person wants to know it: while it tries again and again, it is offline; "connecting" is only the first time. */
export const settledStatus = (before: Status, status: Status): Status => (status === "connecting" ? before : status);

const edits = (count: number): string => `${count} ${count === 1 ? "edit" : "edits"}`;
