// An entry of the recording as one line of the list: its type, and its most interesting member.

import { isObject } from "@opstate/core/json";
import type { RecordingEntry } from "@opstate/ag-ui";

export interface EntryLine {
  readonly type: string;
  readonly detail: string;
  readonly group: "you" | "run" | "text" | "tool" | "state" | "other" | "bad";
}

/** The members of an event, most interesting first. */
const MEMBERS_BY_INTEREST = [
  "delta",
  "toolCallName",
  "content",
  "message",
  "stepName",
  "activityType",
  "name",
  "messageId",
  "toolCallId",
  "runId",
];
const MAX_DETAIL_LENGTH = 120;

export function entryLine(entry: RecordingEntry): EntryLine {
  if ("send" in entry) {
    const [message] = entry.send;
    return {
      type: message === undefined ? "ANSWER" : "SENT",
      detail: short(message?.content ?? "to what the agent asked"),
      group: "you",
    };
  }
  if ("end" in entry) return { type: "STREAM ENDED", detail: short(entry.end.message), group: "bad" };
  const { event } = entry;
  if (!isObject(event) || typeof event["type"] !== "string")
    return { type: "not an event", detail: short(event), group: "bad" };
  return { type: event["type"], detail: detailOf(event), group: groupOf(event["type"]) };
}

function detailOf(event: Readonly<Record<string, unknown>>): string {
  if (event["type"] === "STATE_DELTA" && Array.isArray(event["delta"]))
    return event["delta"].map(operationLine).join(", ").slice(0, MAX_DETAIL_LENGTH);
  if (event["type"] === "RUN_FINISHED" && isObject(event["outcome"])) return short(event["outcome"]["type"]);
  const member = MEMBERS_BY_INTEREST.find((name) => event[name] !== undefined);
  return member === undefined ? "" : short(event[member]);
}

function operationLine(operation: unknown): string {
  return isObject(operation) ? `${String(operation["op"])} ${String(operation["path"])}` : short(operation);
}

function groupOf(type: string): EntryLine["group"] {
  if (type === "RUN_ERROR") return "bad";
  if (/^(?:RUN|STEP|SUBAGENT)_/.test(type)) return "run";
  if (/^(?:TEXT|REASONING|THINKING)_/.test(type)) return "text";
  if (type.startsWith("TOOL_")) return "tool";
  return /^(?:STATE|MESSAGES|ACTIVITY)_/.test(type) ? "state" : "other";
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text;
}
