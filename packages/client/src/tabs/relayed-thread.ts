// A thread as the tab that leads has it: the tabs that follow it, and what each of them is to get.

import type { Submission, TransportStatus } from "@opstate/core/transport";
import type { CarrierMessage, ThreadPosition } from "../carrier.ts";

/** A thread as one tab follows it. */
export interface Follow {
  readonly turn: number;
  after: number | undefined;
  incarnation: string | undefined;
  /** Whether its welcome has come. */
  isBegun: boolean;
  /** Whether nothing of the state has come since: a snapshot is used whatever its version is. */
  isFresh: boolean;
  /** The status that the tab has. */
  status?: TransportStatus;
}

/** A thread as the connection has it. */
export interface RelayedThread {
  readonly follows: Map<string, Follow>;
  /** The tabs that show something of themselves. */
  readonly shown: Set<string>;
  /** What has no verdict, by its id, with the tabs that sent it. */
  readonly waiting: Map<string, { readonly submission: Submission; readonly tabs: string[] }>;
  status: TransportStatus;
  error: Error | undefined;
  welcome?: Extract<CarrierMessage, { type: "welcome" }>;
  presence?: CarrierMessage | undefined;
  /** It is followed again for a tab that came later. For the others it stays online. */
  isRestarting: boolean;
}

export function newThread(tab: string, follow: Follow): RelayedThread {
  return {
    follows: new Map([[tab, follow]]),
    shown: new Set(),
    waiting: new Map(),
    status: "connecting",
    error: undefined,
    isRestarting: false,
  };
}

/** Where a connection begins again: at what the tab that is furthest behind has. */
export function furthestBehind(follows: readonly Follow[]): ThreadPosition {
  const [first] = follows;
  if (first === undefined) return {};
  let { after } = first;
  for (const follow of follows) {
    if (after === undefined || follow.after === undefined || follow.incarnation !== first.incarnation) return {};
    after = Math.min(after, follow.after);
  }
  return after === undefined ? {} : { after, incarnation: first.incarnation };
}

/** The status of the connection for a tab. */
export function statusOf(thread: RelayedThread, { isBegun }: Follow): TransportStatus {
  const status = thread.isRestarting ? "online" : thread.status;
  return status === "online" && !isBegun ? "connecting" : status;
}

/** Whether a tab needs a message. Notes what it has then. */
export function takes(
  follow: Follow,
  message: Exclude<CarrierMessage, { type: "verdict" }>,
  hasWelcome: boolean,
): boolean {
  switch (message.type) {
    case "welcome": {
      const isSame = follow.incarnation === message.incarnation;
      if (follow.isBegun && isSame) return false;
      if (!isSame && follow.incarnation !== undefined) follow.after = undefined;
      follow.incarnation = message.incarnation;
      follow.isFresh = true;
      return (follow.isBegun = true);
    }
    case "snapshot": {
      const { version } = message.snapshot;
      // Of an earlier beginning, for another tab.
      if (!follow.isBegun && hasWelcome) return false;
      if (!follow.isFresh && follow.after !== undefined && follow.after >= version) return false;
      follow.after = version;
      follow.isFresh = false;
      return (follow.isBegun = true);
    }
    case "commits": {
      const first = message.commits[0]?.version;
      const last = message.commits.at(-1)?.version;
      if (first === undefined || last === undefined) return follow.isBegun;
      if (follow.after === undefined || follow.after >= last) return false;
      const isNext = first <= follow.after + 1;
      // A carrier may have no welcome.
      if (!follow.isBegun && (hasWelcome || !isNext)) return false;
      // A tab that misses some notices the gap, and begins again.
      if (isNext) follow.after = last;
      follow.isFresh = false;
      return (follow.isBegun = true);
    }
    default:
      return follow.isBegun;
  }
}
