// A tool call in words: the log's sentence once it is there, else what its result says that it did,
// else a sentence about the board at the moment when the call's arguments were complete.

import { type Board, describe } from "@opstate/kanban-domain";
import type { Log } from "../timeline/log.ts";
import type { Call } from "./transcript.ts";

/** What each tool is about, for a call of which no more is known. */
const TOOLS: Readonly<Record<string, string>> = {
  addCard: "Add a card",
  addColumn: "Add a column",
  board_find: "Look for cards",
  board_read: "Look at the board",
  buildBoard: "Build a new board",
  editCard: "Change a card",
  move: "Move a card",
  recentChanges: "Look up the latest changes",
  remove: "Remove a card",
  removeColumn: "Remove a column",
  renameColumn: "Rename a column",
  takeBack: "Take back the last run",
};

const DESCRIBED = new Set(["edit", "refusal", "propose"]);

/** As the log says it; undefined when the log does not have it, or not yet. */
export function loggedText({ toolCallId }: Pick<Call, "toolCallId">, entries: Log["entries"]): string | undefined {
  const logged = entries.find((entry) => entry.toolCallId === toolCallId && DESCRIBED.has(entry.kind));
  return logged?.sentence.replace(/^Propose: /, "");
}

/** For one call, where the log does not have it. Keeps its first sentence about a board. */
export function createCallText() {
  let described: string | undefined;
  return ({ name, operation, outcome }: Call, board: Board | null): string => {
    // Without a board there are no titles.
    if (operation && board !== null) described ??= describe(operation, board);
    return outcome?.sentence ?? described ?? TOOLS[name] ?? name;
  };
}
