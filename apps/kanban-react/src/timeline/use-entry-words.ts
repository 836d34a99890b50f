// An entry's sentence; and what an undo kept.

import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { entryText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { keptLines } from "@opstate/kanban-page/undo/kept-words.ts";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { useSession } from "../session-context.ts";

export function useEntryText(entry: LogEntry): string {
  return useStore(useSession().log, ({ entries }) => entryText(entry, entries));
}

export function useKeptLines({ kept }: LogEntry): readonly string[] {
  const { log, user } = useSession();
  return useStore(
    log,
    useShallow(({ entries }) => (kept === undefined ? NOTHING : keptLines(kept, entries, user))),
  );
}

const NOTHING: readonly string[] = [];
