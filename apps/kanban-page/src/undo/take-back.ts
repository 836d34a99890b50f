// What the person tries to undo or redo, with what prevents it and what it keeps.
//
// - Later edits that would do something else are listed. The person decides: keep what they did,
//   take them back too, or leave everything as it is.
// - What was kept in spite of that is shown for a while.

import { dependentsOf, undoOutcome, type UndoStep } from "@opstate/client";
import type { Verdict } from "@opstate/core";
import type { OnDependent, UndoTarget } from "@opstate/core/thread";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { BoardThread } from "../open-board.ts";
import { type Log, logNow } from "../timeline/log.ts";
import { type DependentLine, dependentLines, keepLabel, laterEdits } from "./dependent-words.ts";
import { keptLines } from "./kept-words.ts";

export interface Choice {
  readonly label: string;
  choose(): Promise<void>;
}

export interface Obstacle {
  /** What should be undone: a run's id, or "own". */
  readonly about: string;
  readonly message: string;
  /** Later edits that would do something else now, oldest first. */
  readonly dependents: readonly DependentLine[];
  /** How many more there are. */
  readonly more: number;
  /** Keeps what the dependents did; absent when nothing of them can stay. */
  readonly keep?: Choice;
  /** Takes the dependents back too. */
  readonly drop?: Choice;
}

export interface TakeBackView {
  readonly busy: boolean;
  readonly obstacle?: Obstacle | undefined;
  /** What the last undo or redo kept, in words. */
  readonly kept?: { readonly about: string; readonly lines: readonly string[] } | undefined;
}

interface Options {
  readonly onDependent?: OnDependent;
}

type Attempt = (options: Options) => Promise<Verdict | undefined>;

const KEPT_SHOWN_MS = 12_000;

export interface TakeBackContext {
  readonly user: string;
  readonly thread: Pick<BoardThread, "undo" | "history" | "getState">;
  readonly announcer: Announcer;
}

export function createTakeBack({ user, thread, announcer }: TakeBackContext) {
  const store = createStore<TakeBackView>()(() => ({ busy: false }));

  /** `done` is announced on success. */
  async function attempt(about: string, done: string, call: Attempt, options: Options = {}): Promise<void> {
    if (store.getState().busy) return;
    store.setState({ busy: true, obstacle: undefined, kept: undefined });
    let verdict: Verdict | undefined;
    let failure = "";
    try {
      verdict = await call(options);
      if (verdict === undefined) failure = "You have nothing to undo.";
    } catch (error) {
      failure = error instanceof TypeError ? "This needs the connection. Try again when it is back." : messageOf(error);
    }
    store.setState({ busy: false });
    if (verdict?.accepted) return succeed(about, done, verdict);
    const obstacle = obstacleOf(about, verdict, failure, (onDependent) => attempt(about, done, call, { onDependent }));
    store.setState({ obstacle });
    announcer.say(obstacle.message);
  }

  function succeed(about: string, done: string, verdict: Verdict & { accepted: true }): void {
    const { dropped = [], recomputed = [], carried = [] } = undoOutcome(verdict) ?? {};
    const lines = keptLines({ recomputed, carried }, logNow(thread).entries, user);
    if (lines.length > 0) {
      const kept = { about, lines };
      store.setState({ kept });
      setTimeout(() => store.setState((state) => (state.kept === kept ? { kept: undefined } : state)), KEPT_SHOWN_MS);
    }
    const went = dropped.length > 0 ? ` ${laterEdits(dropped.length)} that depended on it went too.` : "";
    const stayed = lines.map((line) => ` ${line}.`).join("");
    announcer.say(`${done}.${went}${stayed}`);
  }

  function obstacleOf(
    about: string,
    verdict: Verdict | undefined,
    failure: string,
    again: (onDependent: OnDependent) => Promise<void>,
  ): Obstacle {
    if (verdict === undefined || verdict.accepted) return { about, message: failure, dependents: [], more: 0 };
    const found = dependentsOf(verdict.rejection);
    if (found === undefined) return { about, message: verdict.rejection.message, dependents: [], more: 0 };
    const { total } = found;
    const dependents = dependentLines(found, logNow(thread).entries);
    const label = keepLabel(dependents, total);
    return {
      about,
      message: `Not taken back yet: ${laterEdits(total)} would do something else without it.`,
      dependents,
      more: total - dependents.length,
      ...(label !== undefined && { keep: { label, choose: () => again("keep") } }),
      drop: { label: "Drop", choose: () => again("drop") },
    };
  }

  return Object.assign(store, {
    /** The person's own last edit, as with Ctrl+Z. Later edits of others stay. */
    async own(which: "undo" | "redo"): Promise<void> {
      const { canUndo, canRedo, last, next } = thread.undo.getState();
      if (!(which === "undo" ? canUndo : canRedo))
        return announcer.say(which === "undo" ? "You have nothing to undo." : "You have nothing to redo.");
      const what = stepText(which === "undo" ? last : next, logNow(thread));
      const done = which === "undo" ? "Undone" : "Redone";
      await attempt("own", what ? `${done}: ${what}` : done, (options) =>
        which === "undo" ? thread.undo("last", options) : thread.undo.redo(options),
      );
    },
    /** A run, or what was undone of it. */
    run: (runId: string, { target, announcement }: { readonly target: UndoTarget; readonly announcement: string }) =>
      attempt(runId, announcement, (options) => thread.undo(target, options)),
    /** Leaves everything as it is. */
    dismiss() {
      if (store.getState().obstacle?.drop) announcer.say("Nothing was taken back.");
      store.setState({ obstacle: undefined, kept: undefined });
    },
  });
}

/** The log's sentence for an own edit; undefined until the log has it. */
export const stepText = (step: Pick<UndoStep, "id"> | undefined, { entries }: Log): string | undefined =>
  step && entries.find((entry) => entry.accepted && entry.id === step.id)?.sentence;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
