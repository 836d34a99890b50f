// How much of runs a server keeps, and for how long.

import type { RunStore } from "./run-store.ts";

/** What is kept of the runs of agents, for readers that come later. */
export interface KeepOptions {
  /** Events of one run; default 100,000. A detached run that writes more is stopped. */
  readonly events?: number;
  /** Bytes of one run, about; default 32 MB. A detached run that writes more is stopped. */
  readonly bytes?: number;
  /** Runs of one thread that have ended; default 50. */
  readonly perThread?: number;
  /** Runs of one actor that have ended; default 200. */
  readonly perActor?: number;
  /** Minutes after the end of a run; default 60. */
  readonly minutes?: number;
  /**
   * Bytes of all runs that have ended, and of their requests, about; default 256 MB. The oldest go
   * first.
   */
  readonly total?: number;
}

export interface KeepLimits extends Required<KeepOptions> {}

const MB = 1024 * 1024;

/** Throws a RangeError for a limit that is none. */
export function keepLimits(options: KeepOptions = {}): KeepLimits {
  const limits = {
    events: options.events ?? 100_000,
    bytes: options.bytes ?? 32 * MB,
    perThread: options.perThread ?? 50,
    perActor: options.perActor ?? 200,
    minutes: options.minutes ?? 60,
    total: options.total ?? 256 * MB,
  };
  for (const [name, limit] of Object.entries(limits))
    if (!(limit >= 0)) throw new RangeError(`\`runs.keep.${name}\` must be a number from 0 on, not ${limit}.`);
  return limits;
}

export interface RunsOptions {
  /** Default: in memory. */
  readonly store?: RunStore | undefined;
  readonly limits: KeepLimits;
  readonly onError: (error: unknown) => void;
  /** Where several servers share the log. */
  readonly nodes?: Nodes | undefined;
}

/** The servers that share the log, by the ids of their starts. */
export interface Nodes {
  /** Of this one. */
  readonly id: string;
  /** How often others were gone. What they ran has no end but this one's. */
  readonly departures: number;
  /** In which epoch this one owns, or owned, the thread. */
  epochOf(incarnation: string): number | undefined;
  /** Whether this one owns the thread in that epoch, by what is stored. */
  owns(thread: { readonly threadId: string; readonly incarnation: string }, epoch: number): Promise<boolean>;
  /** Those that are there. */
  live(): Promise<ReadonlySet<string>>;
}
