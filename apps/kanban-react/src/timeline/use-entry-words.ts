// An entry's sentence.

import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { entryText } from "@opstate/kanban-page/timeline/entry-words.ts";
import { useStore } from "zustand";
import { useSession } from "../session-context.ts";

export function useEntryText(entry: LogEntry): string {
  return useStore(useSession().log, ({ entries }) => entryText(entry, entries));
}
