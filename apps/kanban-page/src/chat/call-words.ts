// A tool call in words: the log's sentence once it is there. Before that, a sentence about the
// board at the moment when the call's arguments were complete.

import { describe } from "@opstate/kanban-domain";
import type { BoardThread } from "../open-board.ts";
import type { Log } from "../timeline/log.ts";
import type { Call } from "./transcript.ts";

/** The tools that are not operations of the board. */
const OTHER_TOOLS: Readonly<Record<string, string>> = {
  recentChanges: "Look up the latest changes",
  takeBack: "Take back the last run",
};

/** For one call. Keeps the first sentence. */
export function createCallText({ getState }: Pick<BoardThread, "getState">) {
  let described: string | undefined;
  return ({ toolCallId, name, operation }: Call, entries: Log["entries"]): string => {
    const logged = entries.find(
      (entry) => entry.toolCallId === toolCallId && (entry.kind === "edit" || entry.kind === "refusal"),
    );
    if (logged) return logged.sentence;
    if (operation) described ??= describe(operation, getState());
    return described ?? OTHER_TOOLS[name] ?? `${name} …`;
  };
}
