// What a moment has to play with: the page's session, ways to wait for conditions, and a hand of
// the page's own, for a visitor who only looks.
//
// Invariant: a moment waits for what happened, never for a time. The only clock is the hand's.

import type { Session } from "@opstate/kanban-page/session.ts";
import { LOG } from "@opstate/kanban-page/timeline/log.ts";
import type { Readable } from "@opstate/core";

/** How long a moment waits for the visitor's hand before it shows its own, in ms. */
const HAND_MS = 20_000;

export interface Stage {
  readonly session: Session;
  /** What happens now, in a sentence. */
  say(sentence: string): void;
  until(condition: () => boolean): Promise<void>;
  /** The promise; cancelled when another moment begins. */
  wait<Value>(promise: Promise<Value>): Promise<Value>;
  /** Waits for what the visitor can do. After a while, or when they want it, `act` does it. */
  hand(sentence: string, condition: () => boolean, act: () => unknown): Promise<void>;
  /** Loads the page again; the moment continues with its `resume`. */
  reload(): Promise<never>;
}

export interface StageOptions {
  readonly session: Session;
  readonly signal: AbortSignal;
  show(now: { readonly sentence: string; readonly isWaiting: boolean }): void;
  /** The visitor plays by hand. */
  readonly isPatient: () => boolean;
  /** Calls back when the visitor wants to be shown. Returns the function that stops it. */
  onShowMe(act: () => void): () => void;
  reload(): void;
}

export function createStage({ session, signal, show, isPatient, onShowMe, reload }: StageOptions): Stage {
  function until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => end(() => reject(signal.reason as Error));
      const look = () => condition() && end(resolve);
      const stop = watch(session, look);
      function end(then: () => void): void {
        stop();
        signal.removeEventListener("abort", fail);
        then();
      }
      signal.addEventListener("abort", fail);
      if (signal.aborted) fail();
      else look();
    });
  }

  return {
    session,
    say: (sentence) => show({ sentence, isWaiting: false }),
    until,
    wait: (promise) => Promise.race([promise, until(() => false) as Promise<never>]),
    async hand(sentence, condition, act) {
      show({ sentence, isWaiting: true });
      const once = () => {
        stop();
        // While the hand acts, it is not offered: what is pressed then would do nothing.
        show({ sentence, isWaiting: false });
        act();
      };
      const stopAsking = onShowMe(once);
      const timer = setTimeout(() => isPatient() || once(), HAND_MS);
      function stop(): void {
        clearTimeout(timer);
        stopAsking();
      }
      await until(condition).finally(stop);
    },
    reload() {
      reload();
      return new Promise<never>(() => {});
    },
  };
}

/** Calls back after anything on the page changed. Returns the function that stops it. */
function watch({ thread, chat, branch }: Session, listener: () => void): () => void {
  const readables: readonly Pick<Readable<unknown>, "subscribe">[] = [
    thread,
    thread.sync,
    thread.history.with(LOG),
    thread.proposals,
    chat,
    branch,
  ];
  let stopChanges = () => {};
  let changes: unknown;
  const followBranch = () => {
    const next = branch.getState().open?.branch.changes;
    if (next === changes) return;
    stopChanges();
    changes = next;
    stopChanges = next?.subscribe(listener) ?? (() => {});
  };
  const stops = [...readables.map((each) => each.subscribe(listener)), branch.subscribe(followBranch)];
  followBranch();
  return () => {
    for (const stop of stops) stop();
    stopChanges();
  };
}
