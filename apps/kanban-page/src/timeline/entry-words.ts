// The timeline in words. The sentence of an undo or a decline names the entry that it is about.

import type { HistoryState } from "@opstate/client";
import type { Log } from "./log.ts";
import type { LogEntry } from "./log-entry.ts";

export function entryText(entry: LogEntry, entries: Log["entries"]): string {
  const { kind, undoneVersions, proposedAt, dropped = 0, sentence } = entry;
  const at = (version: number | undefined) => entries.find((each) => each.accepted && each.version === version);
  if (kind === "decline") {
    const proposed = at(proposedAt);
    const said =
      typeof entry.operation === "object" && entry.operation !== null && "reason" in entry.operation
        ? entry.operation.reason
        : "";
    return proposed
      ? `${proposed.sentence.replace(/^Propose: /, "Decline: ")}${typeof said === "string" && said !== "" ? `. '${said}'` : ""}`
      : sentence;
  }
  if (kind !== "undo" || !undoneVersions) return sentence;
  const aims = undoneVersions.slice(0, undoneVersions.length - dropped);
  const [only] = aims;
  const first = at(only);
  if (!first) return sentence;
  if (aims.length === 1)
    return first.kind === "undo"
      ? `Redo: ${entryText(first, entries).replace(/^Undo: /, "")}`
      : `Undo: ${first.sentence}`;
  const isRun = first.runId !== undefined && aims.every((version) => at(version)?.runId === first.runId);
  return isRun ? `Undo: a run of the agent, ${aims.length} changes` : sentence;
}

/** How many later edits were undone too, because they depended on the undone ones. */
export const droppedText = (dropped: number): string =>
  dropped === 1 ? "1 later edit that depended on it went too" : `${dropped} later edits that depended on it went too`;

/** The text of a timeline without entries. */
export function emptyLogText({ loading, error }: Pick<HistoryState, "loading" | "error">): string {
  if (error !== undefined) return "The log cannot be reached. It is read as soon as the connection is back.";
  return loading
    ? "Reading the log."
    : "Nothing has happened yet. Every change to the board appears here, refused ones too, with who made it.";
}
