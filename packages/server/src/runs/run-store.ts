// The port between the records of runs and what keeps them when the process ends.
//
// Invariants of an implementation:
// - `append` is one step: all of its events are kept, or none.
// - Calls for one run come one after the other, in the order of its events.
// - What `drop` was called with is not given by `load` again. What is appended to it later is
//   ignored.
//
// Servers of one log with `node` may share a store. A run without an end is under way while its
// node is there, and died with it afterwards. Without `node` one process writes a store.

import type { Message } from "@ag-ui/core";
import type { Actor } from "@opstate/core";

/** What is known of a run when it is read. Plain JSON. */
export interface RunHead {
  readonly threadId: string;
  /** Of the thread: a thread that is created again has no runs of the one before. */
  readonly incarnation: string;
  readonly runId: string;
  /** Distinguishes runs with the same id: a client may use one again. */
  readonly key: string;
  /** The server that runs it, by its start, where several share the log. */
  readonly node?: string;
  /** In which epoch of the thread that server began it. */
  readonly epoch?: number;
  /** The agent's name in the address. */
  readonly agent: string;
  /** Who started it. */
  readonly actor: Actor;
  /** ISO 8601. */
  readonly startedAt: string;
  /** It goes on without its reader. */
  readonly detached: boolean;
  /** Every actor who may read the thread may read it. */
  readonly isShared: boolean;
  /** Its agent can continue it after a stop of the server. */
  readonly continuable?: boolean;
  /** The id of the stopped run that it continues. */
  readonly continues?: string;
  /** The messages since the agent's last answer: the request of this run. */
  readonly prompt: readonly Message[];
}

/** How a run ended. `stopped`: not by its agent. */
export type RunEnd = "finished" | "failed" | "stopped";

export interface StoredRun {
  readonly head: RunHead;
  /** JSON of the AG-UI events, from the first on. */
  readonly events: readonly string[];
  /** Absent when the end was not recorded. */
  readonly end?: { readonly status: RunEnd; readonly at: string };
  /** Present when the end was handed over to the reader who started the run. */
  readonly delivered?: true;
}

export interface RunStore {
  begin(head: RunHead): Promise<void>;
  /** `after`: how many events the run had before. */
  append(head: RunHead, after: number, events: readonly string[]): Promise<void>;
  end(head: RunHead, status: RunEnd, at: string): Promise<void>;
  /**
   * The end was handed over to the reader who started the run. Without it what an AG-UI page wrote
   * into its state is not accepted after a restart.
   */
  deliver?(head: RunHead): Promise<void>;
  /** The runs of a thread, oldest first. */
  load(threadId: string, incarnation: string): Promise<readonly StoredRun[]>;
  /** Deletes runs. Runs that the store does not have are ignored. */
  drop(heads: readonly RunHead[]): Promise<void>;
}
