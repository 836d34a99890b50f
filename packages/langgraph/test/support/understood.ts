// What a model can know of a board from one call: the state that it is shown, or the snapshot
// before the conversation with all changes since: those at the end, and its own in its tools'
// results.

import { applyPatch, type PatchOperation } from "@opstate/core/json-patch";
import { ToolMessage, type BaseMessage } from "langchain";
import { shown } from "./shown.ts";

/** The version that the call says it shows, and the state as the model can know it. */
export function understood(messages: readonly BaseMessage[]): { readonly version: number; readonly state: unknown } {
  const last = shown(messages);
  const [, since, version, lines] =
    /<board-changes since="(\d+)" version="(\d+)">\n([^]*?)<\/board-changes>/.exec(last) ?? [];
  const texts = since === undefined ? [last] : messages.slice(0, -1).map(({ text }) => text);
  const [, of, json] = /<board version="(\d+)">\n(.*)\n<\/board>/.exec(texts.join("\n")) ?? [];
  if (json === undefined) throw new Error(`No board in ${last}`);
  let state: unknown = JSON.parse(json);
  if (since === undefined) return { version: Number(of), state };
  if (since !== of) throw new Error(`Changes since ${since}, to a board of ${of}`);
  const changes = [...listed(lines ?? ""), ...resulted(messages)].filter((one) => one.version > Number(since));
  for (const { patches } of changes.toSorted((a, b) => a.version - b.version)) {
    const applied = applyPatch(state, patches);
    if (!applied.ok) throw new Error(JSON.stringify([applied, patches]));
    state = applied.document;
  }
  return { version: Number(version), state };
}

interface Change {
  readonly version: number;
  readonly patches: readonly PatchOperation[];
}

/** `7 user ada: ...`, and a line for each operation of its patch. */
function listed(lines: string): readonly Change[] {
  return lines.split(/\n(?=\d+ )/).flatMap((text) => {
    const [head = "", ...operations] = text.split("\n").filter((line) => /^(?:\d| )/.test(line));
    return /^\d/.test(head)
      ? [{ version: Number.parseInt(head), patches: operations.map((line) => read(line.trim())) }]
      : [];
  });
}

/** `Accepted: board is now at version 7.`, and `Changed: set /a = 1; removed /b`. */
function resulted(messages: readonly BaseMessage[]): readonly Change[] {
  return messages
    .filter((message) => ToolMessage.isInstance(message))
    .flatMap(({ text }) => {
      const [, version, changed] = /now at version (\d+)\.[^]*\nChanged: (.*)$/.exec(text) ?? [];
      // What has more is in the changes.
      if (changed === undefined || /\d+ more$|…|(?:^|; )(?:move|copy) /.test(changed)) return [];
      return [{ version: Number(version), patches: changed.split(/; (?=(?:set|added|removed) \/)/).map(read) }];
    });
}

function read(line: string): PatchOperation {
  const [, verb, path = "", json] = /^(set|added|removed|moved) (\S+)(?: (?:=|to) (.*))?$/.exec(line) ?? [];
  if (verb === "removed") return { op: "remove", path };
  if (verb === "moved") return { op: "move", from: path, path: json ?? "" };
  if (json === undefined) throw new Error(`Not understood: ${line}`);
  return { op: verb === "set" ? "replace" : "add", path, value: JSON.parse(json) };
}
