// An entry's sentence; and what an undo kept.

import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { entryText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { keptLines } from "@opstate/kanban-page/undo/kept-words.ts";
import { shallow } from "zustand/shallow";
import { useLog } from "../board-context.ts";
import { useSession } from "../session-context.ts";

export function useEntryText(entry: LogEntry): string {
  return useLog(({ entries }) => entryText(entry, entries));
}

export function useKeptLines({ kept }: LogEntry): readonly string[] {
  const { user } = useSession();
  return useLog(({ entries }) => (kept === undefined ? NOTHING : keptLines(kept, entries, user)), shallow);
}

const NOTHING: readonly string[] = [];
