// The board at a past version, read only. The current board keeps updating meanwhile.

import type { Snapshot } from "@opstate/core";
import type { Board } from "@opstate/kanban-domain";
import { createStore } from "zustand/vanilla";
import type { Announcer } from "../announcer.ts";
import type { BoardThread } from "../open-board.ts";

export interface PastView {
  /** The requested version; undefined for now. */
  readonly version?: number | undefined;
  /** The last state that was read; an older one while the requested one is loading. */
  readonly shown?: Snapshot<Board | null> | undefined;
  readonly problem?: string | undefined;
}

const MAX_CACHED_STATES = 60;

export function createPast({ sync, history }: Pick<BoardThread, "sync" | "history">, announcer: Announcer) {
  const head = () => sync.getState().version;
  const store = createStore<PastView>()(() => ({}));
  const cache = new Map<number, Snapshot<Board | null>>();

  async function read(version: number): Promise<void> {
    try {
      const snapshot = cache.get(version) ?? (await history.stateAt(version));
      cache.set(version, snapshot);
      const [oldest] = cache.keys();
      if (cache.size > MAX_CACHED_STATES && oldest !== undefined) cache.delete(oldest);
      // The person may have moved on to another version.
      if (store.getState().version === version) store.setState({ shown: snapshot, problem: undefined });
    } catch (error) {
      if (store.getState().version === version)
        store.setState({
          problem: error instanceof TypeError ? "The past is on the server: this needs the connection." : String(error),
        });
    }
  }

  function now(): void {
    if (store.getState().version === undefined) return;
    store.setState({ version: undefined, shown: undefined, problem: undefined });
    announcer.say("Back to now.");
  }

  function show(version: number): void {
    const wanted = Math.max(0, version);
    if (wanted >= head()) return now();
    if (wanted === store.getState().version) return;
    store.setState({ version: wanted, problem: undefined });
    announcer.say(`Version ${wanted} of ${head()}, read only.`);
    void read(wanted);
  }

  return Object.assign(store, {
    show,
    now,
    step: (by: number) => show((store.getState().version ?? head()) + by),
  });
}
