// An entry's sentence.

import type { LogEntry } from "@opstate/kanban-page/timeline/log-entry.ts";
import { wordsOf } from "@opstate/kanban-page/timeline/entry-words.ts";
import { useStore } from "zustand";
import { useSession } from "../session-context.ts";

export function useEntryWords(entry: LogEntry): string {
  return useStore(useSession().log, ({ entries }) => wordsOf(entry, entries));
}
