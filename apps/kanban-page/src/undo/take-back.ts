// Undo and redo, with what prevents them. Later edits that depend on the undone ones are listed,
// and are undone too only on request.

import type { Rejection, Verdict } from "@opstate/core";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { BoardLog } from "../timeline/log.ts";
import type { LogEntry } from "../timeline/log-entry.ts";

export interface Obstacle {
  /** What should be undone: a run's id, or "own". */
  readonly about: string;
  readonly message: string;
  /** Later edits that depend on it, oldest first. */
  readonly dependents: readonly LogEntry[];
  /** Undoes the dependents, too. */
  readonly drop?: () => Promise<void>;
}

type Attempt = (options: { readonly onDependent?: "drop" }) => Promise<Verdict | undefined>;

export type TakeBack = ReturnType<typeof createTakeBack>;

export function createTakeBack({ log, announcer }: { readonly log: BoardLog; readonly announcer: Announcer }) {
  const store = createStore<{ readonly busy: boolean; readonly obstacle?: Obstacle | undefined }>()(() => ({
    busy: false,
  }));

  /** `done` is announced on success. */
  async function attempt(
    about: string,
    done: string,
    call: Attempt,
    options: { readonly onDependent?: "drop" } = {},
  ): Promise<void> {
    if (store.getState().busy) return;
    store.setState({ busy: true, obstacle: undefined });
    let verdict: Verdict | undefined;
    let failure = "";
    try {
      verdict = await call(options);
      if (verdict === undefined) failure = "You have nothing to undo.";
    } catch (error) {
      failure = error instanceof TypeError ? "This needs the connection. Try again when it is back." : messageOf(error);
    }
    store.setState({ busy: false });
    if (verdict?.accepted) {
      const dropped = listAt(verdict.commit?.operation, "dropped");
      const left = dropped.length > 0 ? ` ${laterEdits(dropped.length)} that depended on it went too.` : "";
      return announcer.say(`${done}.${left} Version ${verdict.version}.`);
    }
    const obstacle = verdict ? obstacleOf(about, verdict.rejection) : { about, message: failure, dependents: [] };
    const mayDrop = verdict?.rejection.reason === "dependents" && options.onDependent === undefined;
    store.setState({
      obstacle: mayDrop ? { ...obstacle, drop: () => attempt(about, done, call, { onDependent: "drop" }) } : obstacle,
    });
    announcer.say(obstacle.message);
  }

  function obstacleOf(about: string, { reason, message, details }: Rejection): Obstacle {
    if (reason !== "dependents") return { about, message, dependents: [] };
    const ids = new Set(listAt(details, "dependents"));
    const { entries } = log.getState();
    const dependents = entries.filter(({ id, accepted }) => accepted && ids.has(id)).toReversed();
    const count = ids.size;
    return { about, message: `Not taken back: ${laterEdits(count)} ${count === 1 ? "needs" : "need"} it.`, dependents };
  }

  return Object.assign(store, { attempt, dismiss: () => store.setState({ obstacle: undefined }) });
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return Array.isArray(found) ? found : [];
}

export const laterEdits = (count: number): string => `${count} later ${count === 1 ? "edit" : "edits"}`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
