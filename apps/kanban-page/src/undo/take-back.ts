// Undo and redo, with what prevents them and what they keep.
//
// - Later edits that would do something else are listed. The person decides: keep what they did,
//   take them back too, or leave everything as it is.
// - What was kept in spite of that is told for a while.

import type { Verdict } from "@opstate/core";
import { dependentsOf, undoOutcome } from "@opstate/core/feeds";
import type { OnDependent } from "@opstate/core/thread";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { BoardLog } from "../timeline/log.ts";
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

export interface TakeBackOptions {
  readonly onDependent?: OnDependent;
}

type Attempt = (options: TakeBackOptions) => Promise<Verdict | undefined>;

export type TakeBack = ReturnType<typeof createTakeBack>;

const KEPT_SHOWN_MS = 12_000;

export function createTakeBack({
  user,
  log,
  announcer,
}: {
  readonly user: string;
  readonly log: BoardLog;
  readonly announcer: Announcer;
}) {
  const store = createStore<TakeBackView>()(() => ({ busy: false }));

  /** `done` is announced on success. */
  async function attempt(about: string, done: string, call: Attempt, options: TakeBackOptions = {}): Promise<void> {
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
    const lines = keptLines({ recomputed, carried }, log.getState().entries, user);
    if (lines.length > 0) {
      const kept = { about, lines };
      store.setState({ kept });
      setTimeout(() => store.setState((state) => (state.kept === kept ? { kept: undefined } : state)), KEPT_SHOWN_MS);
    }
    const went = dropped.length > 0 ? ` ${laterEdits(dropped.length)} that depended on it went too.` : "";
    const stayed = lines.map((line) => ` ${line}.`).join("");
    announcer.say(`${done}.${went}${stayed} Version ${verdict.version}.`);
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
    const dependents = dependentLines(found, log.getState().entries);
    const label = keepLabel(dependents, total);
    return {
      about,
      message: `Not taken back yet: ${laterEdits(total)} would do something else without it.`,
      dependents,
      more: total - dependents.length,
      ...(label !== undefined && { keep: { label, choose: () => again("keep") } }),
      drop: { label: `Drop ${laterEdits(total)}`, choose: () => again("drop") },
    };
  }

  return Object.assign(store, {
    attempt,
    /** Leaves everything as it is. */
    dismiss() {
      if (store.getState().obstacle?.drop) announcer.say("Nothing was taken back.");
      store.setState({ obstacle: undefined, kept: undefined });
    },
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
