// How a holder holds an open thread: until it is released, or is dropped.
//
// A program may open a thread for each request and close none. What is dropped is released when its
// memory is collected; hosts that cannot notice keep it.
//
// Invariants:
// - Nothing here reaches `onReplaced` but weakly, unless it is kept.
// - The registry of what is dropped reaches no thread: its log keeps it, and goes with it.

import type { OpstateError } from "../../error.ts";
import type { OpenedThread } from "./opened-thread.ts";

type OnReplaced = (reason: OpstateError) => void;

export interface Hold {
  /** Resolves when nothing is under way any more, if there is no other holder. */
  release(): Promise<void>;
  /** It is held until it is released, even when it is dropped: it has listeners. */
  keep(onReplaced: OnReplaced): void;
}

interface Link {
  readonly weak: WeakRef<OnReplaced> | undefined;
  kept: OnReplaced | undefined;
}

interface Dropped {
  readonly opened: WeakRef<OpenedThread>;
  readonly holder: OnReplaced;
}

const dropped =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry<Dropped>(({ opened, holder }) => {
        void opened
          .deref()
          ?.release(holder)
          .catch(() => undefined);
      });

/** `onReplaced` belongs to the holder: it is reachable as long as the holder is. */
export function holdThread(opened: OpenedThread, onReplaced: OnReplaced): Hold {
  const link: Link = { weak: dropped && new WeakRef(onReplaced), kept: dropped ? undefined : onReplaced };
  const holder = holderOf(link);
  opened.hold(holder);
  dropped?.register(onReplaced, { opened: new WeakRef(opened), holder }, link);
  return {
    release() {
      dropped?.unregister(link);
      return opened.release(holder);
    },
    keep(same) {
      link.kept = same;
      dropped?.unregister(link);
    },
  };
}

/** A function of its own: a closure of `holdThread` would keep all that the others there use. */
function holderOf(link: Link): OnReplaced {
  return (reason) => (link.kept ?? link.weak?.deref())?.(reason);
}
