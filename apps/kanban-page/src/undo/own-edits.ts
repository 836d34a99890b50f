// One's own last edit: undo and redo, as Ctrl+Z means it. What others did since stays.

import type { Actor } from "@opstate/core";
import { createUndoStack, type UndoSource } from "@opstate/core/feeds";
import type { Announcer } from "../announcer.ts";
import type { BoardLog } from "../timeline/log.ts";
import type { TakeBack } from "./take-back.ts";

export function createOwnEdits(
  source: UndoSource,
  { user, takeBack, log, announcer }: { user: Actor; takeBack: TakeBack; log: BoardLog; announcer: Announcer },
) {
  const stack = createUndoStack(source, user);

  /** A step in the words of the log, or undefined while it is not there. */
  function sentence(step: { readonly id: string } | undefined): string | undefined {
    return step && log.getState().entries.find((entry) => entry.accepted && entry.id === step.id)?.sentence;
  }

  async function run(which: "undo" | "redo"): Promise<void> {
    const { canUndo, canRedo, last, next } = stack.getState();
    if (!(which === "undo" ? canUndo : canRedo))
      return announcer.say(which === "undo" ? "There is nothing of yours to undo." : "There is nothing to redo.");
    const what = sentence(which === "undo" ? last : next);
    const done = which === "undo" ? "Undone" : "Redone";
    await takeBack.attempt("own", what ? `${done}: ${what}` : done, (options) => stack[which](options));
  }

  return Object.assign(stack, { step: run, sentence });
}
