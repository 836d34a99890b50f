// The status of the connection in words, for the status bar and for screen readers.

import type { ThreadSync } from "@opstate/client";
import { type Board, describe } from "@opstate/kanban-domain";
import type { Announcer } from "../announcer.ts";
import { copyText } from "../copy-text.ts";

type Status = ThreadSync["status"];

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
  online: "Live",
  connecting: "Connecting",
  offline: "Offline",
  unauthenticated: "Signed out",
  forbidden: "No access",
  not_found: "Not found",
  closed: "Closed",
};

/** Statuses that need the person, with what to do. */
const LASTING: Partial<Record<Status, string>> = {
  unauthenticated: "Sign in to continue",
  forbidden: "You do not have access to this board",
  not_found: "This board no longer exists",
  closed: "Reload the page to continue",
};

export function statusSentence(status: Status, pending: number): string {
  const sentence = LASTING[status];
  if (sentence !== undefined) return pending === 0 ? sentence : `${sentence}. ${edits(pending)} not sent`;
  if (status === "online") return pending === 0 ? "All edits saved" : `Saving ${edits(pending)}`;
  if (pending > 0) return `${edits(pending)} waiting, sent when the connection is back`;
  return status === "offline" ? "You can keep editing" : "";
}

/** Edits that are not sent, because another person made them or the board has changed since. */
export const lostWords = ({ lost }: Pick<ThreadSync, "lost">): string | undefined =>
  lost.length === 0 ? undefined : `${edits(lost.length)} of before cannot be sent`;

/** Edits that are not sent before a person does something about it, if ever. */
export const unsentEdits = ({ status, lost, pending }: Pick<ThreadSync, "status" | "lost" | "pending">) =>
  LASTING[status] === undefined ? lost : [...lost, ...pending];

/** That edits would not outlive a reload. */
export const storageWords = ({ storage, pending }: Pick<ThreadSync, "storage" | "pending">): string | undefined =>
  storage === undefined || pending.length === 0 ? undefined : "This browser does not keep them: leave the page open";

/** Copies edits: what each was in words, and the operation to do it again. */
export function copyEdits(unsent: ThreadSync["pending"], board: Board | null, announcer: Announcer): Promise<boolean> {
  const text = unsent
    .map(({ operation }) => `${describe(operation, board)}\n${JSON.stringify(operation)}`)
    .join("\n\n");
  return copyText(text, `${edits(unsent.length)} copied.`, announcer);
}

/** The text in the board's place while there is no board. */
export function noBoardWords(status: Status): { readonly title: string; readonly text: string } {
  const sentence = LASTING[status];
  if (sentence !== undefined) return { title: STATUS_NAMES[status], text: `${sentence}.` };
  if (status === "offline")
    return { title: "The board cannot be reached", text: "It opens by itself as soon as the server answers." };
  return { title: "Opening the board", text: "One moment." };
}

/** The announcement for a change of status; undefined when it is not worth one. */
export function spokenStatus(before: Status, status: Status, pending: number): string | undefined {
  if (status === before) return undefined;
  if (LASTING[status] !== undefined) return `${STATUS_NAMES[status]}. ${statusSentence(status, pending)}.`;
  if (status === "offline") return "Offline. You can keep editing.";
  return wasLost(before) && status === "online" ? `Connected again. ${statusSentence(status, pending)}.` : undefined;
}

/** The announcement that the connection is back, where an edit that was pending is refused. */
export const spokenReturn = (pending: number): string =>
  pending === 0 ? "Connected again." : `Connected again. ${statusSentence("online", pending)}.`;

export const wasLost = (status: Status): boolean => status === "offline" || LASTING[status] !== undefined;

/** The status without retries: after a loss it stays "offline" until the connection is back. */
export const stableStatus = (before: Status, status: Status): Status => (status === "connecting" ? before : status);

const edits = (count: number): string => `${count} ${count === 1 ? "edit" : "edits"}`;
