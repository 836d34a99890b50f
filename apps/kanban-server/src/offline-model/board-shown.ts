// The board as a model call shows it: whole, or as a snapshot before the conversation and the
// changes since. Those of others are in the last message, its own in the results of its tools.

import type { Board } from "@opstate/kanban-domain";
import { applyPatch, type PatchOperation } from "@opstate/core/json-patch";
import { z } from "zod";

const Card = z.object({ cardId: z.string(), title: z.string(), priority: z.number() });
const Column = z.object({ columnId: z.string(), title: z.string(), cardCount: z.number(), cards: some(Card) });
const BoardText = z.object({ columns: some(Column) });

/** A large board is cut: what is not shown, or not all of it, is left out. */
function some<Item extends z.ZodType>(item: Item) {
  return z
    .array(z.union([item.transform((value) => [value]), z.unknown().transform(() => [])]))
    .transform((items) => items.flat());
}

/**
 * Null without one. `briefing` is the last message, `results` are the texts of all tool messages.
 */
export function readBoard(briefing: string, snapshot: string | undefined, results: readonly string[]): Board | null {
  const shown = stateIn(briefing) ?? (snapshot === undefined ? undefined : stateIn(snapshot));
  if (shown === undefined) return null;
  let { state } = shown;
  const changes = [...listed(briefing), ...results.flatMap(resulted)].filter(({ version }) => version > shown.version);
  for (const { operation } of changes.toSorted((a, b) => a.version - b.version)) {
    // What is not shown cannot be changed here either.
    const applied = applyPatch(state, [operation]);
    if (applied.ok) state = applied.document;
  }
  return BoardText.safeParse(state).data ?? null;
}

interface Shown {
  readonly version: number;
  readonly state: unknown;
}

function stateIn(text: string): Shown | undefined {
  const [, version, json] = [...text.matchAll(/<board version="(\d+)">\n(.*)\n<\/board>/g)].at(-1) ?? [];
  const state = json === undefined ? undefined : readJson(json);
  return state === undefined ? undefined : { version: Number(version), state: expanded(state) };
}

/** With null for each item of a list that is left out, so that indexes are true. */
function expanded(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, expanded(child)]));
  return value.flatMap((item: unknown) => {
    const more = typeof item === "string" ? /^… (\d+) more$/.exec(item)?.[1] : undefined;
    return more === undefined ? [expanded(item)] : Array.from({ length: Number(more) }, () => null);
  });
}

interface Change {
  readonly version: number;
  readonly operation: PatchOperation;
}

/** `7 user ada: ...`, and a line for each change of that version. */
function listed(briefing: string): readonly Change[] {
  const [, lines = ""] = /<board-changes since="\d+" version="\d+">\n([\s\S]*?)<\/board-changes>/.exec(briefing) ?? [];
  let version = 0;
  return lines.split("\n").flatMap((line) => {
    const [, started] = /^(\d+) /.exec(line) ?? [];
    if (started !== undefined) version = Number(started);
    return line.startsWith(" ") ? changeIn(version, line.slice(1)) : [];
  });
}

/** `Accepted: board is now at version 7.`, and `Changed: set /a = 1; removed /b`. */
function resulted(text: string): readonly Change[] {
  const [, version, changed = ""] = /^Accepted: .* version (\d+)\.[\s\S]*\nChanged: (.*)$/m.exec(text) ?? [];
  // What is cut here is whole in the last message.
  if (version === undefined || /\d+ more$|…|(?:^|; )(?:move|copy) /.test(changed)) return [];
  return changed.split(/; (?=(?:set|added|removed) \/)/).flatMap((change) => changeIn(Number(version), change));
}

function changeIn(version: number, text: string): readonly Change[] {
  const [, verb, path = "", to = ""] = /^(set|added|removed|moved) (\S+)(?: (?:=|to) (.*))?$/.exec(text) ?? [];
  switch (verb) {
    case "set":
    case "added":
      return [{ version, operation: { op: verb === "set" ? "replace" : "add", path, value: readJson(to) ?? null } }];
    case "removed":
      return [{ version, operation: { op: "remove", path } }];
    case "moved":
      return [{ version, operation: { op: "move", from: path, path: to } }];
    default:
      return [];
  }
}

/** Undefined if it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
